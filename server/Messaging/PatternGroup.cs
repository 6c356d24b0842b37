namespace Strata.Server.Messaging;

/// <summary>The patterns that begin with the same bytes that stand for themselves, the newest first. Changed under the
/// directory's lock; any thread may look at it.</summary>
internal sealed class PatternGroup
{
    private Pattern? _first;

    /// <summary>No patterns.</summary>
    /// <param name="length">Bytes that they begin with.</param>
    /// <param name="hash">The hash of these.</param>
    public PatternGroup(int length, ulong hash)
    {
        Length = length;
        Hash = hash;
    }

    /// <summary>Bytes with which they begin.</summary>
    public int Length { get; }

    /// <summary>The hash of these.</summary>
    public ulong Hash { get; }

    /// <summary>The newest; null when there is none any more.</summary>
    public Pattern? First => Volatile.Read(ref _first);

    /// <summary>Whether they begin with these bytes.</summary>
    public bool Is(ReadOnlySpan<byte> beginning)
        => Length == beginning.Length && First is { } first && first.Name.AsSpan().StartsWith(beginning);

    /// <summary>Adds a pattern.</summary>
    public void Add(Pattern pattern)
    {
        pattern.Group = this;
        pattern.Next = _first;
        if (_first != null)
        {
            _first.Previous = pattern;
        }

        Volatile.Write(ref _first, pattern);
    }

    /// <summary>Takes a pattern out, which still leads whoever looks at it to those behind it.</summary>
    public void Remove(Pattern pattern)
    {
        if (pattern.Previous == null)
        {
            Volatile.Write(ref _first, pattern.Next);
        }
        else
        {
            pattern.Previous.Next = pattern.Next;
        }

        if (pattern.Next != null)
        {
            pattern.Next.Previous = pattern.Previous;
        }
    }
}
