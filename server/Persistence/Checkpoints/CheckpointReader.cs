using System.Buffers.Binary;
using Microsoft.Win32.SafeHandles;
using Strata.Server.Journal.Files;
using Strata.Server.Rdb;

namespace Strata.Server.Persistence.Checkpoints;

/// <summary>
/// Reads the parts of a checkpoint in order. What it gives is right by its checksum, and of a length that its kind may
/// have; what follows the last part, or is missing before it, is damage as well.
/// </summary>
internal sealed class CheckpointReader : IDisposable
{
    private readonly SafeFileHandle _handle;
    private readonly byte[] _part = new byte[CheckpointFormat.MaxPartBytes];
    private long _parts;
    private int _length;

    /// <summary>Opens a file, and reads its header.</summary>
    /// <exception cref="IOException">It cannot be read.</exception>
    /// <exception cref="RdbException">It is damaged, or of a version that this server does not know.</exception>
    public CheckpointReader(string path)
    {
        try
        {
            _handle = File.OpenHandle(path, options: FileOptions.SequentialScan);
        }
        catch (UnauthorizedAccessException exception)
        {
            throw new IOException(exception.Message, exception);
        }

        try
        {
            Length = RandomAccess.GetLength(_handle);
            Header = ReadHeader();
        }
        catch
        {
            _handle.Dispose();
            throw;
        }
    }

    /// <summary>What the file says of itself.</summary>
    public CheckpointHeader Header { get; }

    /// <summary>How long it was when it was opened.</summary>
    public long Length { get; }

    /// <summary>Kinds that are passed over with their checksums unread, as another reader looks at them.</summary>
    public IReadOnlyCollection<CheckpointPart> Passed { get; init; } = [];

    /// <summary>Bytes read or passed over.</summary>
    public long Offset { get; private set; }

    /// <summary>Bytes read.</summary>
    public long ReadBytes { get; private set; }

    /// <summary>Where the part begins that was read last.</summary>
    public long PartOffset { get; private set; }

    /// <summary>What the part is that was read last.</summary>
    public CheckpointPart Kind { get; private set; }

    /// <summary>Its shard.</summary>
    public int Shard { get; private set; }

    /// <summary>Its bytes, until the next is read.</summary>
    public ReadOnlySpan<byte> Part => _part.AsSpan(0, _length);

    /// <summary>Reads the next part.</summary>
    /// <param name="wanted">The kind that is wanted; others are passed over, too. Null for all that are not.</param>
    /// <returns>False behind the last.</returns>
    /// <exception cref="IOException">It cannot be read.</exception>
    /// <exception cref="RdbException">It is damaged.</exception>
    public bool TryNext(CheckpointPart? wanted = null)
    {
        while (Kind != CheckpointPart.End)
        {
            var frame = ReadFrame();
            Check(frame.Kind != CheckpointPart.Header && frame.Shard >= 0 && frame.Shard < Header.Shards);
            var isWanted = wanted == null ? !Passed.Contains(frame.Kind) : frame.Kind == wanted;
            if (isWanted || frame.Kind == CheckpointPart.End)
            {
                ReadPart(frame, Header.Salt);
            }
            else
            {
                Offset += frame.Length;
                Check(Offset <= Length);
            }

            if (frame.Kind == CheckpointPart.End)
            {
                Check(BinaryPrimitives.ReadInt64LittleEndian(Part) == _parts && Offset == Length);
                return false;
            }

            _parts++;
            if (isWanted)
            {
                return true;
            }
        }

        return false;
    }

    /// <summary>The part that was read last is not what it must be.</summary>
    public RdbException Damage(string what) => new($"the checkpoint is damaged: {what}", PartOffset);

    /// <inheritdoc/>
    public void Dispose() => _handle.Dispose();

    private static bool IsLength(CheckpointPart kind, int length) => kind switch
    {
        CheckpointPart.Header => length == CheckpointHeader.Bytes,
        CheckpointPart.End => length == CheckpointFormat.EndBytes,
        _ => CheckpointFormat.RowBytes(kind) is > 0 and var rowBytes && IsRows(length, rowBytes),
    };

    private static bool IsRows(int length, int rowBytes)
        => length > 0 && length <= CheckpointFormat.MaxPartBytes && length % rowBytes == 0;

    private CheckpointHeader ReadHeader()
    {
        Span<byte> magic = stackalloc byte[JournalFileReader.CheckpointMagic.Length];
        ReadExactly(magic);
        Check(magic.SequenceEqual(JournalFileReader.CheckpointMagic));
        var frame = ReadFrame();
        Check(frame.Kind == CheckpointPart.Header);
        ReadPart(frame, salt: 0);
        _parts = 1;
        return CheckpointHeader.Read(Part)
            ?? throw new RdbException("the checkpoint is of a version that this server does not know", PartOffset);
    }

    private CheckpointFrame ReadFrame()
    {
        Span<byte> bytes = stackalloc byte[CheckpointFormat.FrameBytes];
        PartOffset = Offset;
        ReadExactly(bytes);
        var frame = CheckpointFrame.Read(bytes);
        Check(IsLength(frame.Kind, frame.Length));
        return frame;
    }

    private void ReadPart(in CheckpointFrame frame, ulong salt)
    {
        ReadExactly(_part.AsSpan(0, frame.Length));
        _length = frame.Length;
        Check(frame.ChecksumOf(Part, salt, PartOffset) == frame.Checksum);
        (Kind, Shard) = (frame.Kind, frame.Shard);
    }

    private void ReadExactly(Span<byte> target)
    {
        while (target.Length > 0)
        {
            var read = RandomAccess.Read(_handle, target, Offset);
            Check(read > 0);
            Offset += read;
            ReadBytes += read;
            target = target[read..];
        }
    }

    private void Check(bool isRight)
    {
        if (!isRight)
        {
            throw Damage(Offset >= Length ? "its end is missing" : "a part has not the checksum that it must have");
        }
    }
}
