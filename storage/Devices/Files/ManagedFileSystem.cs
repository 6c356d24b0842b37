using Microsoft.Win32.SafeHandles;
using Strata.Storage.Interop;

namespace Strata.Storage.Devices.Files;

/// <summary>Files as .NET opens them: through the page cache, so that requests may begin and end anywhere.</summary>
internal sealed class ManagedFileSystem : IFileSystem
{
    public static ManagedFileSystem Instance { get; } = new();

    /// <inheritdoc/>
    public bool IsDirect => false;

    /// <inheritdoc/>
    public int ProbeSector(string directory)
    {
        var path = Path.Combine(directory, $".strata-probe-{Guid.NewGuid():N}");
        try
        {
            File.OpenHandle(path, FileMode.CreateNew, FileAccess.ReadWrite, FileShare.None, FileOptions.DeleteOnClose)
                .Dispose();
            return Limits.MinSectorBytes;
        }
        catch (Exception exception) when (FileErrors.IsFileError(exception))
        {
            throw new DeviceException($"cannot make a file in '{directory}': {exception.Message}; "
                + "name a folder that this user may write to, on a file system with room");
        }
    }

    /// <inheritdoc/>
    public int TryOpen(string path, bool create, long reserveBytes, out SafeFileHandle? handle)
    {
        handle = null;
        try
        {
            // Shared without bounds: .NET then takes no lock of its own, as the native library takes none.
            const FileShare Shared = FileShare.ReadWrite | FileShare.Delete;
            if (create && !File.Exists(path))
            {
                handle = Create(path, Shared, reserveBytes);
            }
            else
            {
                handle = File.OpenHandle(path, FileMode.Open, FileAccess.ReadWrite, Shared);
            }

            if (reserveBytes > RandomAccess.GetLength(handle))
            {
                RandomAccess.SetLength(handle, reserveBytes);
            }

            return 0;
        }
        catch (Exception exception) when (FileErrors.IsFileError(exception))
        {
            handle?.Dispose();
            handle = null;
            return FileErrors.ToErrno(exception);
        }
    }

    /// <inheritdoc/>
    public int TryGrow(string path, SafeFileHandle handle, long bytes)
    {
        try
        {
            if (RandomAccess.GetLength(handle) < bytes)
            {
                RandomAccess.SetLength(handle, bytes);
            }

            return 0;
        }
        catch (Exception exception) when (FileErrors.IsFileError(exception))
        {
            return FileErrors.ToErrno(exception);
        }
    }

    // When there is no room for it, .NET deletes the file again, and the exception hides the errno.
    private static SafeFileHandle Create(string path, FileShare share, long reserveBytes)
    {
        try
        {
            var handle = File.OpenHandle(
                path, FileMode.CreateNew, FileAccess.ReadWrite, share, FileOptions.None, reserveBytes);
            File.SetUnixFileMode(handle, UnixFileMode.UserRead | UnixFileMode.UserWrite);
            return handle;
        }
        catch (IOException exception) when (reserveBytes > 0 && exception.HResult < 0 && !File.Exists(path)
            && exception.GetType() == typeof(IOException))
        {
            throw new IOException(exception.Message, Errno.NoSpace);
        }
    }

    /// <inheritdoc/>
    public int Close(SafeFileHandle handle)
    {
        handle.Dispose();
        return 0;
    }
}
