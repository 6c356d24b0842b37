using System.Runtime.InteropServices;
using System.Text;

namespace Strata.Server.Options;

/// <summary>
/// Replaces a conf file in one step: whoever reads it, also after a crash at any moment, sees the old content or the
/// new one, whole. The file keeps its mode, and a symbolic link keeps its target's place.
/// </summary>
public static partial class ConfFileWriter
{
    private const int OpenDirectoryFlags = 0x10000 | 0x80000;
    private const int BufferBytes = 64 << 10;
    private const UnixFileMode OwnersMode = UnixFileMode.UserRead | UnixFileMode.UserWrite;

    /// <summary>Replaces the content.</summary>
    /// <param name="path">The file; one that is not there yet becomes its owner's alone.</param>
    /// <param name="lines">The new lines.</param>
    /// <exception cref="IOException">The file system refuses; the old content stands.</exception>
    /// <exception cref="UnauthorizedAccessException">The file or its directory may not be written.</exception>
    public static void Replace(string path, IReadOnlyList<string> lines)
        => Replace(path, file =>
        {
            foreach (var line in lines)
            {
                file.Write(Encoding.Latin1.GetBytes(line + "\n"));
            }
        });

    /// <inheritdoc cref="Replace(string, IReadOnlyList{string})"/>
    /// <param name="path">The file.</param>
    /// <param name="write">Writes the new content.</param>
    public static void Replace(string path, Action<Stream> write)
    {
        var full = Path.GetFullPath(path);
        var isThere = File.Exists(full);
        var target = (isThere ? File.ResolveLinkTarget(full, returnFinalTarget: true)?.FullName : null) ?? full;
        var temporary = $"{target}.{Environment.ProcessId}.tmp";
        try
        {
            WriteDurably(temporary, isThere ? File.GetUnixFileMode(target) : OwnersMode, write);
            File.Move(temporary, target, overwrite: true);
        }
        catch
        {
            File.Delete(temporary);
            throw;
        }

        FlushDirectory(Path.GetDirectoryName(target)!);
    }

    private static void WriteDurably(string path, UnixFileMode mode, Action<Stream> write)
    {
        File.Delete(path); // Left over, or a link or a pipe, into which nothing is to be written.
        var options = new FileStreamOptions
        {
            Mode = FileMode.CreateNew,
            Access = FileAccess.Write,
            UnixCreateMode = OwnersMode,
            BufferSize = BufferBytes,
        };
        using var file = new FileStream(path, options);
        write(file);
        File.SetUnixFileMode(file.SafeFileHandle, mode);
        file.Flush(flushToDisk: true);
    }

    /// <summary>
    /// Makes the change of name durable. .NET opens no directories, so that this goes to the C library.
    /// </summary>
    private static void FlushDirectory(string path)
    {
        var descriptor = Open(path, OpenDirectoryFlags);
        if (descriptor < 0)
        {
            throw new IOException($"Can't open the directory {path}", Marshal.GetLastPInvokeError());
        }

        var result = Fsync(descriptor);
        var errno = Marshal.GetLastPInvokeError();
        _ = Close(descriptor);
        if (result != 0)
        {
            throw new IOException($"Can't flush the directory {path}", errno);
        }
    }

    [LibraryImport("libc", EntryPoint = "open", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    private static partial int Open(string path, int flags);

    [LibraryImport("libc", EntryPoint = "fsync", SetLastError = true)]
    private static partial int Fsync(int descriptor);

    [LibraryImport("libc", EntryPoint = "close")]
    private static partial int Close(int descriptor);
}
