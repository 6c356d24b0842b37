using Strata.Server.Journal.Files;
using Strata.Server.Rdb;

namespace Strata.Server.Persistence;

/// <summary>The bytes of a file, from its beginning.</summary>
internal sealed unsafe class FileSource : IRdbSource, IDisposable
{
    private readonly IJournalFile _file;
    private long _offset;

    /// <summary>Opens a file.</summary>
    /// <exception cref="IOException">It cannot be read, or is none that has an end.</exception>
    public FileSource(string path)
    {
        var whole = Path.GetFullPath(path);
        var folder = new DiskFolder(Path.GetDirectoryName(whole) ?? whole);
        folder.Open(Path.GetFileName(path), FileUse.Read, out var file).ThrowAsIOException();
        _file = file!;
        var error = _file.GetLength(out var length);
        if (error.IsError)
        {
            _file.Dispose();
            error.ThrowAsIOException();
        }

        Length = length;
    }

    /// <summary>How long it was when it was opened.</summary>
    public long Length { get; }

    /// <inheritdoc/>
    public int Read(Span<byte> target)
    {
        fixed (byte* bytes = target)
        {
            _file.Read(_offset, bytes, target.Length, out var read).ThrowAsIOException();
            _offset += read;
            return read;
        }
    }

    /// <inheritdoc/>
    public void Dispose() => _file.Dispose();
}
