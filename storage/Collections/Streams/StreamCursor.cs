using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;

namespace Strata.Storage.Collections.Streams;

/// <summary>Goes over entries of a stream in the order of their ids, or against it. It is good until an entry is added
/// or removed, or the stream's record moves; not over the end of a lease.</summary>
public unsafe struct StreamCursor
{
    private readonly StreamId _from;
    private readonly StreamId _to;
    private readonly bool _isReverse;

    // The block that is gone through, and of a large stream its place.
    private IdPlace _place;
    private StreamBlock* _block;

    // What is left of it begins, or where it goes backwards, ends here.
    private byte* _next;

    // Of the entry: what follows, and names in the block's front where it has those.
    private byte* _names;
    private byte* _values;
    private int _fieldsLeft;

    // A value that lies there as an integer, as text.
    private DigitArray _digits;

    internal StreamCursor(StreamRoot* root, StreamId from, StreamId to, bool isReverse)
        : this((StreamBlock*)null, from, to, isReverse)
    {
        _place = root->Blocks.UpTo(isReverse ? to : from);
        if (_place.IsNone && !isReverse)
        {
            _place = root->Blocks.First;
        }

        if (!_place.IsNone)
        {
            Enter((StreamBlock*)*_place.Words);
        }
    }

    internal StreamCursor(StreamBlock* block, StreamId from, StreamId to, bool isReverse)
    {
        _from = from;
        _to = to;
        _isReverse = isReverse;
        if (block != null)
        {
            Enter(block);
        }
    }

    /// <summary>The entry's id.</summary>
    public StreamId Id { get; private set; }

    /// <summary>The entry's fields.</summary>
    public int FieldCount { get; private set; }

    /// <summary>The entry's bytes, about.</summary>
    public int EntryBytes { get; private set; }

    /// <summary>Whether the entry's fields are those that the block has in its front.</summary>
    public readonly bool HasBlockFields => _names != null;

    /// <summary>Goes on to the next entry.</summary>
    /// <returns>False when there is none in the range.</returns>
    public bool TryNext()
    {
        while (_block != null)
        {
            if (_next == (_isReverse ? StreamBlock.Start(_block) : StreamBlock.End(_block)))
            {
                Leave();
                continue;
            }

            byte* entry;
            if (_isReverse)
            {
                entry = StreamEntry.Before(_next);
                EntryBytes = (int)(_next - entry);
                _next = entry;
            }
            else
            {
                entry = _next;
                EntryBytes = StreamEntry.SizeAt(_block, entry);
                _next += EntryBytes;
            }

            _values = StreamEntry.ReadHead(entry, _block->FirstId, out var id, out var hasOwnFields);
            if (_isReverse ? id > _to : id < _from)
            {
                continue;
            }

            if (_isReverse ? id < _from : id > _to)
            {
                break;
            }

            Id = id;
            Open(hasOwnFields);
            return true;
        }

        _block = null;
        return false;
    }

    /// <summary>Gives the entry's next field, whose bytes are good until the next one is asked for.</summary>
    /// <returns>False when there is none.</returns>
    [UnscopedRef]
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryNextField(out ReadOnlySpan<byte> name, out ReadOnlySpan<byte> value)
    {
        if (_fieldsLeft == 0)
        {
            name = default;
            value = default;
            return false;
        }

        _fieldsLeft--;
        name = _names != null ? Read(ref _names) : Read(ref _values);
        value = StreamValue.Read(ref _values, _digits);
        return true;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static ReadOnlySpan<byte> Read(scoped ref byte* next)
    {
        var length = PackedForm.LengthAt(next, out var prefix);
        var text = new ReadOnlySpan<byte>(next + prefix, length);
        next += prefix + length;
        return text;
    }

    private void Open(bool hasOwnFields)
    {
        if (hasOwnFields)
        {
            _values = StreamEntry.ReadVarint(_values, out var count);
            _names = null;
            FieldCount = (int)count;
        }
        else
        {
            _names = StreamBlock.Fields(_block);
            FieldCount = _block->FieldCount;
        }

        _fieldsLeft = FieldCount;
    }

    private void Enter(StreamBlock* block)
    {
        _block = block;
        _next = _isReverse ? StreamBlock.End(block) : StreamBlock.Start(block);
    }

    private void Leave()
    {
        _block = null;
        if (_place.IsNone)
        {
            return;
        }

        if (_isReverse)
        {
            _place.MovePrevious();
        }
        else
        {
            _place.MoveNext();
        }

        if (!_place.IsNone)
        {
            Enter((StreamBlock*)*_place.Words);
        }
    }

    [InlineArray(StreamValue.MaxDigits)]
    private struct DigitArray
    {
        private byte _first;
    }
}
