using System.Buffers.Binary;

namespace Strata.Server.Rdb;

/// <summary>
/// Goes through a ziplist, which Redis wrote before 7.0: its bytes (4), where the last entry begins (4), the number of
/// entries (2, or 65535 for "count them"), entries, 255. An entry is the length of the one before (a byte, or 254 and
/// four), its encoding with its own length, and its bytes.
/// </summary>
internal sealed class ZiplistWalk : BlobWalk
{
    private const int HeaderBytes = 10;
    private const int Uncounted = ushort.MaxValue;
    private const byte End = 0xFF;
    private const byte LongLength = 0xFE;

    private int _left;
    private bool _isCounted;
    private long _previousBytes;
    private long _previousStart;

    /// <inheritdoc/>
    protected override string Name => "a ziplist";

    /// <inheritdoc/>
    public override bool TryNext(ReadOnlySpan<byte> blob, out BlobEntry entry)
    {
        if (At == blob.Length - 1)
        {
            entry = default;
            var last = BinaryPrimitives.ReadUInt32LittleEndian(blob[sizeof(int)..]);
            return (_isCounted && _left != 0) || last != _previousStart
                ? throw Damaged("it has other entries than it says")
                : false;
        }

        var start = At;
        SkipPrevious(blob);
        entry = Read(blob);
        _previousStart = start;
        _previousBytes = At - start;
        if (At >= blob.Length || (_isCounted && --_left < 0))
        {
            throw Damaged("it has more entries than it says");
        }

        return true;
    }

    /// <inheritdoc/>
    protected override void Begin(ReadOnlySpan<byte> blob)
    {
        At = 0;
        if (blob.Length <= HeaderBytes || blob[^1] != End
            || BinaryPrimitives.ReadUInt32LittleEndian(blob) != blob.Length)
        {
            throw Damaged("its header or its end is wrong");
        }

        _left = BinaryPrimitives.ReadUInt16LittleEndian(blob[(2 * sizeof(int))..]);
        _isCounted = _left != Uncounted;
        _previousBytes = 0;
        _previousStart = HeaderBytes;
        At = HeaderBytes;
    }

    private void SkipPrevious(ReadOnlySpan<byte> blob)
    {
        long previous = blob[At];
        if (previous == End)
        {
            throw Damaged("it ends too early");
        }

        if (previous < LongLength)
        {
            At++;
        }
        else
        {
            previous = BinaryPrimitives.ReadUInt32LittleEndian(Slice(blob, At + 1, sizeof(int)));
            At += 1 + sizeof(int);
        }

        if (previous != _previousBytes)
        {
            throw Damaged("the length of the entry before is wrong");
        }
    }

    private BlobEntry Read(ReadOnlySpan<byte> blob)
    {
        var first = Slice(blob, At, 1)[0];
        switch (first >> 6)
        {
            case 0:
                return Text(blob, 1, first & 0x3F);
            case 1:
                return Text(blob, 2, ((first & 0x3F) << 8) | Slice(blob, At + 1, 1)[0]);
            case 2 when first == 0x80:
                return Text(blob, 1 + sizeof(int), BinaryPrimitives.ReadUInt32BigEndian(Slice(blob, At + 1, 4)));
            default:
                return Number(blob, first);
        }
    }

    private BlobEntry Text(ReadOnlySpan<byte> blob, int header, long length)
    {
        var text = Slice(blob, At + header, length);
        At += header + text.Length;
        return new BlobEntry(text);
    }

    private BlobEntry Number(ReadOnlySpan<byte> blob, byte first)
    {
        var bytes = first switch
        {
            0xFE => 1,
            0xC0 => sizeof(short),
            0xF0 => 3,
            0xD0 => sizeof(int),
            0xE0 => sizeof(long),
            >= 0xF1 and <= 0xFD => 0,
            _ => throw Damaged($"no entry begins with {first}"),
        };
        var value = bytes == 0 ? first - 0xF1 : Integer(blob, At + 1, bytes);
        At += 1 + bytes;
        return new BlobEntry(value);
    }
}
