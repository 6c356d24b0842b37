using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;
using Strata.Storage.Interop;

namespace Strata.Storage.Tiering;

/// <summary>
/// The small files beside the tier's segments, in whose place there may be anything: what is no file is refused at once
/// with what helps, where .NET would wait for who writes to a pipe, for ever.
/// </summary>
internal static unsafe class TierFile
{
    // rw-rw-rw-, of which the process's mask takes what others may not do.
    private const uint Mode = 0x1B6;

    /// <summary>Opens a file.</summary>
    /// <param name="path">Where it lies.</param>
    /// <param name="flags">What for (<see cref="Libc.OpenReadOnly"/> and its like).</param>
    /// <returns>Null where there is none.</returns>
    /// <exception cref="IrregularFileException">It is none.</exception>
    /// <exception cref="IOException">It cannot be opened.</exception>
    /// <exception cref="UnauthorizedAccessException">It may not be.</exception>
    public static SafeFileHandle? TryOpen(string path, int flags)
    {
        var descriptor = Libc.Open(path, flags | Libc.OpenNonBlock | Libc.OpenCloexec, Mode);
        if (descriptor < 0)
        {
            var errno = Marshal.GetLastPInvokeError();
            return errno != Errno.NoEntry ? throw Refused(path, errno)
                : new FileInfo(path).LinkTarget == null ? null
                : throw new IrregularFileException(path, "a link that leads nowhere");
        }

        var handle = new SafeFileHandle(descriptor, ownsHandle: true);
        FileStatus status;
        if (Libc.Stat(handle, "", Libc.StatEmptyPath, Libc.StatType, &status) != 0 || status.Type == FileStatus.File)
        {
            return handle; // A sandbox may forbid to ask: then reading from it is refused.
        }

        handle.Dispose();
        throw new IrregularFileException(path, NameOf(status.Type));
    }

    /// <summary>Keeps others from a file until it is closed.</summary>
    /// <returns>False if another has done so.</returns>
    public static bool TryLock(SafeFileHandle file)
        => Libc.Lock(file, Libc.LockAlone | Libc.LockAtOnce) == 0
            || Marshal.GetLastPInvokeError() != Errno.TryAgain; // Some file systems know no locks.

    /// <summary>Makes a file in the place of what has its name, without following where that leads.</summary>
    /// <exception cref="IOException">It cannot be made.</exception>
    /// <exception cref="UnauthorizedAccessException">It may not be.</exception>
    public static SafeFileHandle Make(string path, FileAccess access, FileOptions options = FileOptions.None)
    {
        Remove(path);
        return File.OpenHandle(path, FileMode.CreateNew, access, FileShare.Read, options);
    }

    /// <summary>Removes what has a name, if anything has; what a link leads to stays.</summary>
    /// <exception cref="IrregularFileException">It is a folder.</exception>
    /// <exception cref="IOException">It cannot be removed.</exception>
    /// <exception cref="UnauthorizedAccessException">It may not be.</exception>
    public static void Remove(string path)
    {
        try
        {
            File.Delete(path);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            RefuseFolder(path);
            throw;
        }
    }

    /// <summary>Tells why a name is not to be had, if it is a folder's: .NET says that access to it is denied.
    /// </summary>
    /// <exception cref="IrregularFileException">It is.</exception>
    public static void RefuseFolder(string path)
    {
        if (Directory.Exists(path))
        {
            throw new IrregularFileException(path, NameOf(FileStatus.Folder));
        }
    }

    private static Exception Refused(string path, int errno) => errno switch
    {
        Errno.IsFolder => new IrregularFileException(path, NameOf(FileStatus.Folder)),
        Errno.TooManyLinks => new IrregularFileException(path, "a link that leads to itself"),
        Errno.NoDevice => new IrregularFileException(path, NameOf(FileStatus.Socket)),
        Errno.AccessDenied or Errno.NotPermitted
            => new UnauthorizedAccessException($"{path}: {Marshal.GetPInvokeErrorMessage(errno)}"),
        _ => new IOException($"{path}: {Marshal.GetPInvokeErrorMessage(errno)}", errno),
    };

    private static string NameOf(int type) => type switch
    {
        FileStatus.Folder => "a folder",
        FileStatus.Pipe => "a pipe",
        FileStatus.Socket => "a socket",
        _ => "a device",
    };
}
