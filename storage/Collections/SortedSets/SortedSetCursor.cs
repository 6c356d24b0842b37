using System.Runtime.CompilerServices;

namespace Strata.Storage.Collections.SortedSets;

/// <summary>Goes over neighbouring elements of a sorted set, which must not change meanwhile, up or down.</summary>
public unsafe struct SortedSetCursor
{
    private readonly bool _isReverse;
    private long _left;

    // Of a large set, the next element.
    private ScoreLeaf* _leaf;
    private int _index;

    // Of a packed set: the next element; downwards, where the elements of ranks from _windowStart on lie, as one cannot
    // step back from an element.
    private byte* _element;
    private readonly byte* _packed;
    private long _windowStart;
    private Window _window;

    internal SortedSetCursor(ref ScoreTree tree, RankRange range, bool isReverse)
    {
        _isReverse = isReverse;
        _left = range.Count;
        if (range.Count > 0)
        {
            tree.FindRank(isReverse ? range.First + range.Count - 1 : range.First, out var path);
            _leaf = path.Leaf;
            _index = path.Index;
        }
    }

    internal SortedSetCursor(byte* packed, RankRange range, bool isReverse)
    {
        _isReverse = isReverse;
        _left = range.Count;
        _packed = packed;
        _element = PackedSortedSet.Skip(PackedSortedSet.First(packed), range.First);
        if (isReverse)
        {
            _windowStart = range.First + range.Count;
            _index = (int)Math.Min(int.MaxValue, _windowStart);
        }
    }

    /// <summary>Gives the next element.</summary>
    public bool TryNext(out SortedSetElement element)
    {
        if (_left == 0)
        {
            element = default;
            return false;
        }

        _left--;
        if (_packed == null)
        {
            element = new SortedSetElement(_leaf->BlockAt(_index));
            Step();
        }
        else if (_isReverse)
        {
            element = new SortedSetElement(PreviousPacked());
        }
        else
        {
            element = new SortedSetElement(_element);
            _element += ScoredElement.BytesOf(_element);
        }

        return true;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void Step()
    {
        if (!_isReverse)
        {
            if (++_index == _leaf->Count)
            {
                _leaf = _leaf->Next;
                _index = 0;
            }
        }
        else if (--_index < 0)
        {
            _leaf = _leaf->Previous;
            _index = _leaf == null ? 0 : _leaf->Count - 1;
        }
    }

    private byte* PreviousPacked()
    {
        _index--;
        if (_index < _windowStart)
        {
            _windowStart = Math.Max(0, _index - Window.Length + 1);
            var element = PackedSortedSet.Skip(PackedSortedSet.First(_packed), _windowStart);
            for (var i = 0; i <= _index - _windowStart; i++)
            {
                _window[i] = (int)(element - _packed);
                element += ScoredElement.BytesOf(element);
            }
        }

        return _packed + _window[(int)(_index - _windowStart)];
    }

    [InlineArray(Length)]
    private struct Window
    {
        public const int Length = 128;

        private int _first;
    }
}
