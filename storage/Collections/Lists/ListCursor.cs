using Strata.Storage.Log;

namespace Strata.Storage.Collections.Lists;

/// <summary>
/// A place in a list: at an element, or behind the last one. It is of use until the list's next change, unless a
/// <see cref="ListEditor"/> moves it along.
/// </summary>
public unsafe struct ListCursor
{
    // In a packed list there is no block, and the slot is the entry.
    private ListPosition _position;

    // The slots of the first element and behind the last one, of the block or of the packed list.
    private byte* _first;
    private byte* _end;

    /// <summary>A cursor in a packed list.</summary>
    internal ListCursor(in Record packed, int offset)
    {
        var value = packed.KeyPointer + packed.KeyLength;
        _first = value + PackedForm.HeaderBytes;
        _position.Slot = _first + offset;
        _end = value + packed.ValueLength;
    }

    /// <summary>A cursor in a large list.</summary>
    internal ListCursor(in ListPosition position)
    {
        _position = position;
        if (position.Block != null)
        {
            _first = ListBlock.FirstOf(position.Block).Slot;
            _end = ListBlock.EndOf(position.Block).Slot;
        }
    }

    /// <summary>Whether the cursor is behind the last element.</summary>
    public readonly bool IsEnd => _position.Slot == _end;

    /// <summary>The element.</summary>
    public readonly ReadOnlySpan<byte> Current
        => _position.Block == null ? ListEntry.Read(_position.Slot) : _position.Element;

    /// <summary>The place in a large list.</summary>
    internal readonly ListPosition Position => _position;

    /// <summary>Bytes in front of it in a packed list.</summary>
    internal readonly int Offset => (int)(_position.Slot - _first);

    /// <summary>Goes to the next element, or behind the last one; it must be at an element.</summary>
    public void MoveNext()
    {
        if (_position.Block == null)
        {
            _position.Slot += ListEntry.SizeAt(_position.Slot);
            return;
        }

        _position.MoveNext();
        if (_position.Slot == _end && _position.Block->Next != null)
        {
            this = new ListCursor(ListBlock.FirstOf(_position.Block->Next));
        }
    }

    /// <summary>Goes to the element before.</summary>
    /// <returns>False when there is none; the cursor stays.</returns>
    public bool TryMovePrevious()
    {
        if (_position.Slot != _first)
        {
            if (_position.Block == null)
            {
                _position.Slot = ListEntry.Before(_position.Slot);
            }
            else
            {
                _position.MovePrevious();
            }

            return true;
        }

        if (_position.Block == null || _position.Block->Previous == null)
        {
            return false;
        }

        this = new ListCursor(ListBlock.LastOf(_position.Block->Previous));
        return true;
    }
}
