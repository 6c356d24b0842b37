using Microsoft.Win32.SafeHandles;
using Strata.Server.Journal.Files;

namespace Strata.Server.Persistence;

/// <summary>A snapshot as a file of a name: written beside the one that is there, which it replaces when it is whole
/// and on the disk.</summary>
internal sealed class DatabaseFile : ISnapshotFile
{
    private readonly string _path;
    private readonly string _temporaryPath;
    private readonly string _folder;
    private readonly bool _syncsByAndBy;
    private readonly SafeFileHandle _handle;
    private long _length;
    private long _synced;

    /// <summary>Begins the file.</summary>
    /// <param name="folder">Its folder.</param>
    /// <param name="name">Its name.</param>
    /// <param name="syncsByAndBy">Whether it goes to the disk as it is written, rather than all of it at the end.
    /// </param>
    /// <exception cref="IOException">It cannot be made.</exception>
    public DatabaseFile(string folder, string name, bool syncsByAndBy)
    {
        _folder = folder;
        _path = Path.Combine(folder, name);
        _temporaryPath = Path.Combine(folder, $"temp-{Environment.ProcessId}.rdb");
        _syncsByAndBy = syncsByAndBy;
        try
        {
            // What has its name is left over, or a link or a pipe, into which nothing is to be written.
            File.Delete(_temporaryPath);
            _handle = File.OpenHandle(_temporaryPath, FileMode.CreateNew, FileAccess.Write, FileShare.Read);
        }
        catch (FileNotFoundException exception)
        {
            throw new IOException($"The file system of {folder} lets no files be made there", exception);
        }
        catch (UnauthorizedAccessException exception)
        {
            throw new IOException(exception.Message, exception);
        }
    }

    /// <inheritdoc/>
    public void Write(ReadOnlySpan<byte> bytes)
    {
        RandomAccess.Write(_handle, bytes, _length);
        _length += bytes.Length;
        if (_syncsByAndBy && _length - _synced >= ServerLimits.SnapshotSyncBytes)
        {
            RandomAccess.FlushToDisk(_handle);
            _synced = _length;
        }
    }

    /// <inheritdoc/>
    public void WriteOver(long offset, ReadOnlySpan<byte> bytes) => RandomAccess.Write(_handle, bytes, offset);

    /// <inheritdoc/>
    public void EndPart()
    {
        // An RDB file has no parts.
    }

    /// <inheritdoc/>
    public void Commit()
    {
        RandomAccess.FlushToDisk(_handle);
        _handle.Dispose();
        try
        {
            File.Move(_temporaryPath, _path, overwrite: true);
        }
        catch (UnauthorizedAccessException exception)
        {
            throw new IOException(exception.Message, exception);
        }

        var error = new DiskFolder(_folder).Sync();
        if (error.IsError)
        {
            throw new IOException(error.Text);
        }
    }

    /// <inheritdoc/>
    public void Discard()
    {
        _handle.Dispose();
        File.Delete(_temporaryPath);
    }
}
