using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace Strata.Server.Journal.Files;

/// <summary>A file of the file system.</summary>
internal sealed unsafe class DiskFile : IJournalFile
{
    private const int FromEnd = 2;

    // What the kernel takes in one call is somewhat less than 2 GiB.
    private const long MostAtOnce = 1 << 30;

    private readonly SafeFileHandle _handle;

    /// <summary>A file that was opened.</summary>
    public DiskFile(string path, SafeFileHandle handle)
    {
        Path = path;
        _handle = handle;
    }

    /// <inheritdoc/>
    public string Path { get; }

    /// <inheritdoc/>
    public JournalError GetLength(out long bytes)
    {
        bytes = FileCalls.Seek(_handle, 0, FromEnd);
        return bytes < 0 ? Refused("tell the length of") : default;
    }

    /// <inheritdoc/>
    public JournalError Read(long offset, byte* target, int bytes, out int read)
    {
        read = 0;
        while (read < bytes)
        {
            var got = FileCalls.Read(_handle, target + read, (nuint)(bytes - read), offset + read);
            if (got == 0)
            {
                break;
            }

            if (got > 0)
            {
                read += (int)got;
            }
            else if (Marshal.GetLastPInvokeError() != FileCalls.Interrupted)
            {
                return Refused("read");
            }
        }

        return default;
    }

    /// <inheritdoc/>
    public JournalError Write(long offset, byte* bytes, long length, out long written)
    {
        written = 0;
        while (written < length)
        {
            var part = (nuint)Math.Min(length - written, MostAtOnce);
            var put = FileCalls.Write(_handle, bytes + written, part, offset + written);
            if (put > 0)
            {
                written += put;
            }
            else if (put == 0)
            {
                return new JournalError(FileCalls.NoSpace, "write", Path); // No reason is given; there is no other.
            }
            else if (Marshal.GetLastPInvokeError() != FileCalls.Interrupted)
            {
                return Refused("write");
            }
        }

        return default;
    }

    // The file's length is among what fdatasync takes care of.
    /// <inheritdoc/>
    public JournalError Sync()
    {
        while (FileCalls.SyncData(_handle) != 0)
        {
            if (Marshal.GetLastPInvokeError() != FileCalls.Interrupted)
            {
                return Refused("sync");
            }
        }

        return default;
    }

    /// <inheritdoc/>
    public JournalError Truncate(long bytes) => FileCalls.Cut(_handle, bytes) == 0 ? default : Refused("truncate");

    /// <inheritdoc/>
    public void Dispose() => _handle.Dispose();

    private JournalError Refused(string action) => new(Marshal.GetLastPInvokeError(), action, Path);
}
