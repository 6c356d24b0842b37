using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace Strata.Server.Journal.Files;

/// <summary>The C library's calls that .NET has no equal for: with their errno, how much of a write went, and for
/// folders.</summary>
internal static unsafe partial class FileCalls
{
    public const int ReadOnly = 0;
    public const int ReadWrite = 2;
    public const int Create = 0x40;
    public const int Alone = 0x80; // O_EXCL: with Create, nothing that is there is opened, nor followed where it leads.
    public const int NonBlocking = 0x800;
    public const int CloseOnExec = 0x80000;

    /// <summary>rw-r--r--, as Redis makes its files.</summary>
    public const uint FileMode = 0x1A4;

    /// <summary>rwxr-xr-x, as Redis makes its folders.</summary>
    public const uint FolderMode = 0x1ED;

    public const int LockAlone = 2;
    public const int LockAtOnce = 4;

    public const int NoEntry = 2;
    public const int Interrupted = 4;
    public const int WouldBlock = 11;
    public const int AlreadyExists = 17;
    public const int NoSpace = 28;

    private const string Library = "libc";

    /// <summary>Without variable arguments, as which the library has it: all arguments are words, which go the same
    /// way.</summary>
    [LibraryImport(Library, EntryPoint = "open", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    public static partial int Open(string path, int flags, uint mode);

    [LibraryImport(Library, EntryPoint = "pread", SetLastError = true)]
    public static partial nint Read(SafeFileHandle file, byte* target, nuint bytes, long offset);

    [LibraryImport(Library, EntryPoint = "pwrite", SetLastError = true)]
    public static partial nint Write(SafeFileHandle file, byte* bytes, nuint length, long offset);

    [LibraryImport(Library, EntryPoint = "fsync", SetLastError = true)]
    public static partial int Sync(SafeFileHandle file);

    [LibraryImport(Library, EntryPoint = "fdatasync", SetLastError = true)]
    public static partial int SyncData(SafeFileHandle file);

    [LibraryImport(Library, EntryPoint = "ftruncate", SetLastError = true)]
    public static partial int Cut(SafeFileHandle file, long bytes);

    [LibraryImport(Library, EntryPoint = "lseek", SetLastError = true)]
    public static partial long Seek(SafeFileHandle file, long offset, int from);

    [LibraryImport(Library, EntryPoint = "flock", SetLastError = true)]
    public static partial int Lock(SafeFileHandle file, int operation);

    [LibraryImport(Library, EntryPoint = "rename", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    public static partial int Rename(string from, string to);

    [LibraryImport(Library, EntryPoint = "unlink", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    public static partial int Unlink(string path);

    [LibraryImport(Library, EntryPoint = "mkdir", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    public static partial int MakeFolder(string path, uint mode);
}
