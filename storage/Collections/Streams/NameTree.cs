using Strata.Storage.Collections.SortedSets;

namespace Strata.Storage.Collections.Streams;

/// <summary>
/// Groups or consumers in the order of their names: a <see cref="ScoreTree"/> in which all have the score 0. Each is a
/// block that ends with its name, as <see cref="ScoredElement"/> has a member; by the address of that end it is known
/// here. A struct within its owner's block; the default is an empty tree, which has no memory.
/// </summary>
internal unsafe struct NameTree
{
    private ScoreTree _tree;

    /// <summary>How many there are.</summary>
    public readonly long Count => _tree.Count;

    /// <summary>Whether all memory has been freed.</summary>
    public readonly bool IsGone => _tree.IsGone;

    /// <summary>The first one.</summary>
    public readonly NamePlace First => new(_tree.IsGone ? null : _tree.First, 0);

    /// <summary>The last one.</summary>
    public readonly byte* Last => _tree.Last->BlockAt(_tree.Last->Count - 1);

    /// <summary>The one with a name, or null.</summary>
    public readonly byte* Find(ReadOnlySpan<byte> name)
    {
        if (_tree.IsGone)
        {
            return null;
        }

        _tree.Find(new ElementBound(0, name, isBehind: true), out var path);
        if (path.Index == 0)
        {
            return null;
        }

        var found = path.Leaf->BlockAt(path.Index - 1);
        return ScoredElement.MemberOf(found).SequenceEqual(name) ? found : null;
    }

    /// <summary>The first one from a name on.</summary>
    public readonly NamePlace From(ReadOnlySpan<byte> name)
    {
        if (_tree.IsGone)
        {
            return default;
        }

        _tree.Find(new ElementBound(0, name, isBehind: false), out var path);
        return new NamePlace(path.Leaf, path.Index);
    }

    /// <summary>Adds one whose name is not there.</summary>
    /// <exception cref="Memory.MemoryExhaustedException">It was not added.</exception>
    public void Add(in StreamMemory memory, byte* named)
    {
        var before = WeightBytes;
        try
        {
            if (_tree.IsGone)
            {
                _tree = ScoreTree.Create(memory.Heap);
            }

            _tree.Insert(memory.Heap, named);
        }
        finally
        {
            memory.AddWeight(WeightBytes - before); // Also of a tree that has made room, and found none for another.
        }
    }

    /// <summary>Takes one out. Nothing is allocated.</summary>
    public void Remove(in StreamMemory memory, byte* named)
    {
        var before = WeightBytes;
        _tree.FindElement(named, out var path);
        _ = _tree.RemoveAt(memory.Heap, path);
        if (_tree.Count == 0)
        {
            while (!_tree.IsGone)
            {
                _tree.FreeLastLeaf(memory.Heap);
            }

            _tree = default;
        }

        memory.AddWeight(WeightBytes - before);
    }

    /// <summary>Puts another of the same name in the place of one. Nothing is allocated.</summary>
    public readonly void Exchange(byte* named, byte* other) => _tree.Exchange(named, other);

    private readonly long WeightBytes => _tree.IsGone ? 0 : _tree.WeightBytes;
}
