using System.Diagnostics.CodeAnalysis;

namespace Strata.Server.Clients.Tracking;

/// <summary>The prefixes of one client, none of which is another's beginning.</summary>
internal sealed class PrefixSet
{
    private static readonly Comparer<byte[]> s_order =
        Comparer<byte[]>.Create(static (one, other) => one.AsSpan().SequenceCompareTo(other));

    private readonly SortedSet<byte[]> _prefixes = new(s_order);

    /// <summary>How many there are.</summary>
    public int Count => _prefixes.Count;

    /// <summary>The prefixes in their order.</summary>
    public IEnumerable<byte[]> All => _prefixes;

    /// <summary>Adds one, unless it is there.</summary>
    /// <returns>Whether it was not.</returns>
    public bool Add(byte[] prefix) => _prefixes.Add(prefix);

    /// <summary>Takes one out, whichever.</summary>
    /// <returns>False when there is none.</returns>
    public bool TryTake([NotNullWhen(true)] out byte[]? prefix)
    {
        prefix = _prefixes.Max;
        return prefix != null && _prefixes.Remove(prefix);
    }

    /// <summary>One that tells of a key of which another prefix would tell, too: it begins with that, or the other way
    /// round. There is one at most before it in the order, and others follow it.</summary>
    public bool TryFindOverlap(byte[] prefix, [NotNullWhen(true)] out byte[]? overlap)
    {
        overlap = null;
        if (Count == 0)
        {
            return false;
        }

        var (min, max) = (_prefixes.Min!, _prefixes.Max!);
        if (min.Length == 0)
        {
            overlap = min; // It may have others behind it.
        }
        else if (s_order.Compare(min, prefix) <= 0
            && _prefixes.GetViewBetween(min, prefix).Max is { } before && prefix.AsSpan().StartsWith(before))
        {
            overlap = before;
        }
        else if (s_order.Compare(prefix, max) <= 0
            && _prefixes.GetViewBetween(prefix, max).Min is { } behind && behind.AsSpan().StartsWith(prefix))
        {
            overlap = behind;
        }

        return overlap != null;
    }
}
