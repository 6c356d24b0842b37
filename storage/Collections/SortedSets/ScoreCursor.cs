using System.Runtime.CompilerServices;

namespace Strata.Storage.Collections.SortedSets;

/// <summary>Goes up over the elements of a sorted set, which must not change meanwhile, from one score to before
/// another. Of a large set the elements are not looked at: their scores stand side by side in the tree.</summary>
public unsafe struct ScoreCursor
{
    private readonly double _end;

    // Of a large set, the next element.
    private ScoreLeaf* _leaf;
    private int _index;

    // Of a packed set, the next element, and how many are left with it.
    private byte* _element;
    private int _left;

    internal ScoreCursor(in ScoreTree tree, double first, double end)
    {
        _end = end;
        tree.Find(new ScoreBound(first, isBehind: false), out var path);
        _leaf = path.Leaf;
        _index = path.Index - 1;
        Step();
    }

    internal ScoreCursor(byte* packed, double first, double end)
    {
        _end = end;
        _element = PackedSortedSet.Find(packed, new ScoreBound(first, isBehind: false), out var rank);
        _left = PackedSortedSet.CountOf(packed) - rank;
    }

    /// <summary>Gives the next element and its score.</summary>
    /// <returns>False when there is none.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryNext(out SortedSetElement element, out double score)
    {
        if (_leaf == null)
        {
            return TryNextPacked(out element, out score);
        }

        score = _leaf->Scores[_index];
        element = new SortedSetElement(_leaf->BlockAt(_index));
        if (score < _end)
        {
            Step();
            return true;
        }

        _leaf = null;
        return false;
    }

    private bool TryNextPacked(out SortedSetElement element, out double score)
    {
        element = new SortedSetElement(_element);
        score = _left > 0 ? element.Score : double.NaN;
        if (!(score < _end))
        {
            _left = 0;
            return false;
        }

        _left--;
        _element += ScoredElement.BytesOf(_element);
        return true;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void Step()
    {
        if (++_index == _leaf->Count)
        {
            _leaf = _leaf->Next;
            _index = 0;
        }
    }
}
