using System.Buffers.Binary;

namespace Strata.Server.Rdb;

/// <summary>Goes through a listpack (see <see cref="ListpackWriter"/>).</summary>
internal sealed class ListpackWalk : BlobWalk
{
    private const int Uncounted = ushort.MaxValue;

    private int _left;
    private bool _isCounted;

    /// <inheritdoc/>
    protected override string Name => "a listpack";

    /// <inheritdoc/>
    public override bool TryNext(ReadOnlySpan<byte> blob, out BlobEntry entry)
    {
        if (At == blob.Length - 1)
        {
            entry = default;
            return _isCounted && _left != 0 ? throw Damaged("it has fewer entries than it says") : false;
        }

        var first = blob[At];
        entry = (first >> 4) switch
        {
            < 0x8 => new BlobEntry((long)first),
            < 0xC => new BlobEntry(Slice(blob, At + 1, first & 0x3F)),
            < 0xE => new BlobEntry(Small(blob)),
            0xE => new BlobEntry(Slice(blob, At + 2, ((first & 0xF) << 8) | Slice(blob, At + 1, 1)[0])),
            _ => Long(blob, first),
        };
        var bytes = entry.IsInteger ? IntegerBytes(first)
            : entry.Text.Length + (first < 0xC0 ? 1 : first < 0xF0 ? 2 : 1 + sizeof(int));
        SkipLength(blob, bytes);
        if (_isCounted && --_left < 0)
        {
            throw Damaged("it has more entries than it says");
        }

        return true;
    }

    /// <inheritdoc/>
    protected override void Begin(ReadOnlySpan<byte> blob)
    {
        At = 0;
        if (blob.Length < ListpackWriter.FrameBytes || blob[^1] != ListpackWriter.End
            || BinaryPrimitives.ReadUInt32LittleEndian(blob) != blob.Length)
        {
            throw Damaged("its header or its end is wrong");
        }

        _left = BinaryPrimitives.ReadUInt16LittleEndian(blob[sizeof(int)..]);
        _isCounted = _left != Uncounted;
        At = ListpackWriter.HeaderBytes;
    }

    private static int IntegerBytes(byte first) => first switch
    {
        < 0x80 => 1,
        < 0xF0 => 2,
        0xF1 => 1 + sizeof(short),
        0xF2 => 4,
        0xF3 => 1 + sizeof(int),
        _ => 1 + sizeof(long),
    };

    /// <summary>An integer of 13 bits.</summary>
    private long Small(ReadOnlySpan<byte> blob)
    {
        var value = ((blob[At] & 0x1F) << 8) | Slice(blob, At + 1, 1)[0];
        return value >= 1 << 12 ? value - (1 << 13) : value;
    }

    private BlobEntry Long(ReadOnlySpan<byte> blob, byte first) => first switch
    {
        0xF0 => new BlobEntry(Slice(
            blob,
            At + 1 + sizeof(int),
            BinaryPrimitives.ReadUInt32LittleEndian(Slice(blob, At + 1, sizeof(int))))),
        0xF1 => new BlobEntry(Integer(blob, At + 1, sizeof(short))),
        0xF2 => new BlobEntry(Integer(blob, At + 1, 3)),
        0xF3 => new BlobEntry(Integer(blob, At + 1, sizeof(int))),
        0xF4 => new BlobEntry(Integer(blob, At + 1, sizeof(long))),
        _ => throw Damaged($"no entry begins with {first}"),
    };

    /// <summary>Goes behind an entry of so many bytes, and their number backwards.</summary>
    private void SkipLength(ReadOnlySpan<byte> blob, int bytes)
    {
        var length = Slice(blob, At + bytes, ListpackWriter.BackwardBytesOf(bytes));
        var written = 0L;
        foreach (var b in length)
        {
            written = (written << 7) | (long)(b & 0x7F);
        }

        At += bytes + length.Length;
        if (written != bytes || At >= blob.Length)
        {
            throw Damaged("an entry's length is wrong");
        }
    }
}
