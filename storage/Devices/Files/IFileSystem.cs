using Microsoft.Win32.SafeHandles;

namespace Strata.Storage.Devices.Files;

/// <summary>How a device opens its files. Any thread.</summary>
internal interface IFileSystem
{
    /// <summary>Whether files are read and written past the page cache; known after <see cref="ProbeSector"/>.
    /// </summary>
    bool IsDirect { get; }

    /// <summary>Finds out what requests to files of an existing directory must be multiples of, bytes.</summary>
    /// <exception cref="DeviceException">No file can be made there.</exception>
    int ProbeSector(string directory);

    /// <summary>Opens a file; a smaller one is made <paramref name="reserveBytes"/> large, unless that is 0.</summary>
    /// <returns>0, or the errno.</returns>
    int TryOpen(string path, bool create, long reserveBytes, out SafeFileHandle? handle);

    /// <summary>Makes an open file <paramref name="bytes"/> large if it is smaller, and gives it room for them where
    /// the file system can.</summary>
    /// <returns>0, or the errno; ENOENT where it was deleted meanwhile.</returns>
    int TryGrow(string path, SafeFileHandle handle, long bytes);

    /// <summary>Closes it.</summary>
    /// <returns>0, or the errno: the file is closed nevertheless.</returns>
    int Close(SafeFileHandle handle);
}
