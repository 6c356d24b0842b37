using System.Runtime.CompilerServices;

namespace Strata.Storage.Collections.Streams;

/// <summary>An entry of an <see cref="IdTree"/>, or none; good until the tree changes.</summary>
internal unsafe struct IdPlace
{
    private readonly int _stride;
    private IdNode* _leaf;
    private int _index;

    /// <summary>A place in a leaf, or before or behind its entries: then of its neighbour.</summary>
    public IdPlace(IdNode* leaf, int index, int stride)
    {
        _leaf = leaf;
        _index = index;
        _stride = stride;
        if (leaf == null)
        {
            return;
        }

        if (index < 0)
        {
            _leaf = leaf->Previous;
            _index = _leaf == null ? 0 : _leaf->Count - 1;
        }
        else if (index >= leaf->Count)
        {
            _leaf = leaf->Next;
            _index = 0;
        }
    }

    /// <summary>Whether there is no entry.</summary>
    public readonly bool IsNone => _leaf == null;

    /// <summary>The entry's id.</summary>
    public readonly StreamId Id
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => *IdNode.At(_leaf, _index, _stride);
    }

    /// <summary>The words that belong to it.</summary>
    public readonly ulong* Words
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => IdNode.WordsAt(_leaf, _index, _stride);
    }

    /// <summary>Goes on to the next entry.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void MoveNext()
    {
        if (++_index == _leaf->Count)
        {
            _leaf = _leaf->Next;
            _index = 0;
        }
    }

    /// <summary>Goes back to the entry before.</summary>
    public void MovePrevious()
    {
        if (--_index < 0)
        {
            _leaf = _leaf->Previous;
            _index = _leaf == null ? 0 : _leaf->Count - 1;
        }
    }
}
