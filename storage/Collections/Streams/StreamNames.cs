namespace Strata.Storage.Collections.Streams;

/// <summary>The names of the fields in the front of a block.</summary>
public unsafe struct StreamNames
{
    private byte* _next;
    private int _left;

    internal StreamNames(StreamBlock* block)
    {
        _next = StreamBlock.Fields(block);
        Count = block->FieldCount;
        _left = Count;
    }

    /// <summary>How many there are.</summary>
    public int Count { get; }

    /// <summary>Gives the next one.</summary>
    public bool TryNext(out ReadOnlySpan<byte> name)
    {
        if (_left == 0)
        {
            name = default;
            return false;
        }

        _left--;
        var length = PackedForm.LengthAt(_next, out var prefix);
        name = new ReadOnlySpan<byte>(_next + prefix, length);
        _next += prefix + length;
        return true;
    }
}
