using System.Diagnostics.CodeAnalysis;
using Strata.Storage.Collections.Sets;
using Strata.Storage.Collections.SortedSets;

namespace Strata.Server.Commands.SortedSets;

/// <summary>Goes over the members of a <see cref="ScoredSource"/>. The set must not change meanwhile.</summary>
internal ref struct ScoredWalk
{
    private readonly bool _isSet;
    private SetEnumerator _members;
    private SortedSetCursor _elements;
    private SortedSetElement _element;

    public ScoredWalk(scoped in SortedSetReader set)
    {
        _elements = set.Walk(set.All);
    }

    public ScoredWalk(scoped in SetReader set)
    {
        _isSet = true;
        _members = set.GetEnumerator();
    }

    /// <summary>The member; valid until the next is asked for.</summary>
    [UnscopedRef]
    public readonly ReadOnlySpan<byte> Member => _isSet ? _members.Current : _element.Member;

    /// <summary>Its score; 1 for a member of a set.</summary>
    public readonly double Score => _isSet ? 1 : _element.Score;

    /// <summary>Goes on to the next member, at first to the first one.</summary>
    public bool MoveNext() => _isSet ? _members.MoveNext() : _elements.TryNext(out _element);
}
