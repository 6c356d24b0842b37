using Microsoft.Win32.SafeHandles;
using Strata.Server.Rdb;

namespace Strata.Server.Persistence;

/// <summary>The bytes of a file, from its beginning.</summary>
internal sealed class FileSource : IRdbSource, IDisposable
{
    private readonly SafeFileHandle _handle;
    private long _offset;

    /// <summary>Opens a file.</summary>
    /// <exception cref="IOException">It cannot be read.</exception>
    public FileSource(string path)
    {
        try
        {
            _handle = File.OpenHandle(path, options: FileOptions.SequentialScan);
        }
        catch (UnauthorizedAccessException exception)
        {
            throw new IOException(exception.Message, exception);
        }

        Length = RandomAccess.GetLength(_handle);
    }

    /// <summary>How long it was when it was opened.</summary>
    public long Length { get; }

    /// <inheritdoc/>
    public int Read(Span<byte> target)
    {
        var read = RandomAccess.Read(_handle, target, _offset);
        _offset += read;
        return read;
    }

    /// <inheritdoc/>
    public void Dispose() => _handle.Dispose();
}
