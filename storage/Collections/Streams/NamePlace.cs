using Strata.Storage.Collections.SortedSets;

namespace Strata.Storage.Collections.Streams;

/// <summary>One of a <see cref="NameTree"/>, or none; good until the tree changes.</summary>
internal unsafe struct NamePlace
{
    private ScoreLeaf* _leaf;
    private int _index;

    /// <summary>A place in a leaf, or behind its entries: then the first of the next one.</summary>
    public NamePlace(ScoreLeaf* leaf, int index)
    {
        _leaf = leaf;
        _index = index;
        Normalize();
    }

    /// <summary>Whether there is none.</summary>
    public readonly bool IsNone => _leaf == null;

    /// <summary>By what it is known.</summary>
    public readonly byte* Named => _leaf->BlockAt(_index);

    /// <summary>Goes on to the next one.</summary>
    public void MoveNext()
    {
        _index++;
        Normalize();
    }

    private void Normalize()
    {
        while (_leaf != null && _index >= _leaf->Count)
        {
            _leaf = _leaf->Next;
            _index = 0;
        }
    }
}
