using System.Runtime.InteropServices;

namespace Strata.Server.Persistence;

/// <summary>Brings a folder's entries to the disk, so that a file that was renamed in it has its name after a power
/// cut.
/// </summary>
internal static partial class FolderSync
{
    private const int ReadOnlyDirectory = 0x10000;
    private const int CloseOnExec = 0x80000;

    /// <summary>Syncs a folder.</summary>
    /// <exception cref="IOException">It could not be.</exception>
    public static void Sync(string folder)
    {
        var fd = Open(folder, ReadOnlyDirectory | CloseOnExec);
        if (fd < 0)
        {
            throw Error(folder);
        }

        var result = Fsync(fd);
        var error = result < 0 ? Error(folder) : null;
        _ = Close(fd);
        if (error != null)
        {
            throw error;
        }
    }

    private static IOException Error(string folder)
        => new($"cannot sync the folder '{folder}': "
            + Marshal.GetPInvokeErrorMessage(Marshal.GetLastPInvokeError()));

    [LibraryImport("libc", EntryPoint = "open", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    private static partial int Open(string path, int flags);

    [LibraryImport("libc", EntryPoint = "fsync", SetLastError = true)]
    private static partial int Fsync(int fd);

    [LibraryImport("libc", EntryPoint = "close")]
    private static partial int Close(int fd);
}
