using System.Buffers.Binary;

namespace Strata.Server.Rdb;

/// <summary>Goes through a zipmap, as hashes were before Redis 2.6: the number of fields (254 for "count them"), then
/// fields and values in turn, 255. Each begins with its length (a byte, or 254 and four); a value has a byte more, that
/// of the bytes behind it which are free.</summary>
internal sealed class ZipmapWalk : BlobWalk
{
    private const byte LongLength = 0xFE;
    private const byte End = 0xFF;

    private bool _isValue;
    private int _entries;

    /// <inheritdoc/>
    protected override string Name => "a zipmap";

    /// <inheritdoc/>
    public override bool TryNext(ReadOnlySpan<byte> blob, out BlobEntry entry)
    {
        if (At == blob.Length - 1)
        {
            entry = default;
            return _isValue || (blob[0] < LongLength && _entries != 2 * blob[0])
                ? throw Damaged("it has other fields than it says")
                : false;
        }

        long length = blob[At];
        var header = 1;
        if (length == LongLength)
        {
            length = BinaryPrimitives.ReadUInt32LittleEndian(Slice(blob, At + 1, sizeof(int)));
            header += sizeof(int);
        }
        else if (length == End)
        {
            throw Damaged("it ends too early");
        }

        var free = 0;
        if (_isValue)
        {
            free = Slice(blob, At + header, 1)[0];
            header++;
        }

        var text = Slice(blob, At + header, length + free);
        At += header + text.Length;
        if (At >= blob.Length)
        {
            throw Damaged("an entry passes its end");
        }

        _isValue = !_isValue;
        _entries++;
        entry = new BlobEntry(text[..(int)length]);
        return true;
    }

    /// <inheritdoc/>
    protected override void Begin(ReadOnlySpan<byte> blob)
    {
        At = 0;
        if (blob.Length < 2 || blob[^1] != End)
        {
            throw Damaged("its end is wrong");
        }

        _isValue = false;
        _entries = 0;
        At = 1;
    }
}
