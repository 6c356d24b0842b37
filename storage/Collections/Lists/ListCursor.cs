using Strata.Storage.Log;

namespace Strata.Storage.Collections.Lists;

/// <summary>
/// A place in a list: at an element, or behind the last one. It is of use until the list's next change, unless a
/// <see cref="ListEditor"/> moves it along.
/// </summary>
public unsafe struct ListCursor
{
    private ListBlock* _block;
    private byte* _entry;
    private byte* _start;
    private byte* _end;

    /// <summary>A cursor in a packed list.</summary>
    internal ListCursor(in Record packed, int offset)
    {
        var value = packed.KeyPointer + packed.KeyLength;
        _start = value + PackedForm.HeaderBytes;
        _entry = _start + offset;
        _end = value + packed.ValueLength;
    }

    /// <summary>A cursor in a large list.</summary>
    internal ListCursor(in ListPosition position)
    {
        _block = position.Block;
        if (_block != null)
        {
            _entry = position.Entry;
            _start = ListBlock.FirstOf(_block);
            _end = ListBlock.EndOf(_block);
        }
    }

    /// <summary>Whether the cursor is behind the last element.</summary>
    public readonly bool IsEnd => _entry == _end;

    /// <summary>The element.</summary>
    public readonly ReadOnlySpan<byte> Current => ListEntry.Read(_entry);

    /// <summary>The place in a large list.</summary>
    internal readonly ListPosition Position => new() { Block = _block, Entry = _entry };

    /// <summary>Bytes in front of it in a packed list.</summary>
    internal readonly int Offset => (int)(_entry - _start);

    /// <summary>Goes to the next element, or behind the last one; it must be at an element.</summary>
    public void MoveNext()
    {
        _entry += ListEntry.SizeAt(_entry);
        if (_entry == _end && _block != null && _block->Next != null)
        {
            this = new ListCursor(new ListPosition { Block = _block->Next, Entry = ListBlock.FirstOf(_block->Next) });
        }
    }

    /// <summary>Goes to the element before.</summary>
    /// <returns>False when there is none; the cursor stays.</returns>
    public bool TryMovePrevious()
    {
        if (_entry == _start)
        {
            if (_block == null || _block->Previous == null)
            {
                return false;
            }

            var previous = _block->Previous;
            this = new ListCursor(new ListPosition { Block = previous, Entry = ListBlock.EndOf(previous) });
        }

        _entry = ListEntry.Before(_entry);
        return true;
    }
}
