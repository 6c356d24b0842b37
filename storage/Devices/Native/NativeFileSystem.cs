using Microsoft.Win32.SafeHandles;
using Strata.Storage.Devices.Files;
using Strata.Storage.Interop;

namespace Strata.Storage.Devices.Native;

/// <summary>Files past the page cache (O_DIRECT), where the file system has that.</summary>
internal sealed unsafe class NativeFileSystem : IFileSystem
{
    private uint _flags = NativeConstants.FileBuffered;

    /// <inheritdoc/>
    public bool IsDirect => _flags == 0;

    /// <inheritdoc/>
    public int ProbeSector(string directory)
    {
        NativeStorage storage;
        int errno;
        if (DeviceLibrary.ProbeStorage(directory, &storage, &errno) != NativeConstants.Ok)
        {
            var remedy = errno == Errno.NoSpace
                ? "make room on its file system"
                : "name a folder that this user may write to";
            throw new DeviceException($"cannot make a file in '{directory}' (errno {errno}): {remedy}");
        }

        _flags = storage.IsDirect != 0 ? 0u : NativeConstants.FileBuffered;
        return (int)storage.SectorBytes;
    }

    /// <inheritdoc/>
    public int TryOpen(string path, bool create, long reserveBytes, out SafeFileHandle? handle)
    {
        int fd;
        int errno;
        var flags = _flags | (create ? NativeConstants.FileCreate : 0u);
        var status = DeviceLibrary.OpenFile(path, flags, reserveBytes, &fd, &errno);
        handle = status == NativeConstants.Ok ? new SafeFileHandle(fd, ownsHandle: false) : null;
        return errno;
    }

    /// <inheritdoc/>
    /// <remarks>The library reserves room for a file as it opens it.</remarks>
    public int TryGrow(string path, SafeFileHandle handle, long bytes)
    {
        var errno = TryOpen(path, create: false, bytes, out var another);
        return errno != 0 ? errno : Close(another!);
    }

    /// <inheritdoc/>
    public int Close(SafeFileHandle handle)
    {
        int errno;
        _ = DeviceLibrary.CloseFile((int)handle.DangerousGetHandle(), &errno); // The errno says the same as the status.
        return errno;
    }
}
