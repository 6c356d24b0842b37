using System.Buffers.Binary;

namespace Strata.Server.Rdb;

/// <summary>Goes through an intset: the bytes of each integer (4), how many there are (4), and the integers in
/// ascending order.</summary>
internal sealed class IntsetWalk : BlobWalk
{
    private const int HeaderBytes = 2 * sizeof(int);

    private int _width;
    private long _previous;

    /// <inheritdoc/>
    protected override string Name => "an intset";

    /// <inheritdoc/>
    public override bool TryNext(ReadOnlySpan<byte> blob, out BlobEntry entry)
    {
        entry = default;
        if (At == blob.Length)
        {
            return false;
        }

        var value = Integer(blob, At, _width);
        if (At > HeaderBytes && value <= _previous)
        {
            throw Damaged("its integers are not in order");
        }

        _previous = value;
        At += _width;
        entry = new BlobEntry(value);
        return true;
    }

    /// <inheritdoc/>
    protected override void Begin(ReadOnlySpan<byte> blob)
    {
        At = 0;
        _width = blob.Length < HeaderBytes ? 0 : BinaryPrimitives.ReadInt32LittleEndian(blob);
        if (_width is not (sizeof(short) or sizeof(int) or sizeof(long))
            || BinaryPrimitives.ReadUInt32LittleEndian(blob[sizeof(int)..]) * (long)_width != blob.Length - HeaderBytes)
        {
            throw Damaged("its header is wrong");
        }

        At = HeaderBytes;
    }
}
