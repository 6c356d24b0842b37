using System.Runtime.InteropServices;
using Strata.Storage.Index;

namespace Strata.Storage.Interests;

/// <summary>Interests in lists, each of those that stand for the same, under a number: mostly of one key that they
/// stand under (<see cref="KeyInterest.Place"/>), under its hash, in the order they came. An interest is in one list
/// at a time.</summary>
internal sealed class InterestLists
{
    private readonly Dictionary<ulong, Ends> _lists = [];

    /// <summary>Lists that are not empty; any thread may read it.</summary>
    public int Count => _lists.Count;

    /// <summary>Whether there is a list under a number.</summary>
    public bool Has(ulong number) => _lists.ContainsKey(number);

    /// <summary>The oldest interest that stands under a key, whose list stands under its hash.</summary>
    public KeyInterest? OldestIn(in Key key) => OldestIn(key, key.Hash);

    /// <summary>The oldest interest that stands under a key.</summary>
    /// <param name="key">The key.</param>
    /// <param name="number">What its list stands under. Keys that have it in common share the list.</param>
    public KeyInterest? OldestIn(in Key key, ulong number)
    {
        _ = _lists.TryGetValue(number, out var ends);
        return ThisOrYoungerIn(key, ends.Oldest);
    }

    /// <summary>The youngest interest that stands under a key, whose list stands under its hash.</summary>
    public KeyInterest? YoungestIn(in Key key)
    {
        var interest = _lists.TryGetValue(key.Hash, out var ends) ? ends.Youngest : null;
        while (interest != null && !interest.StandsUnder(key))
        {
            interest = interest.Older;
        }

        return interest;
    }

    /// <summary>The next younger interest in the same key.</summary>
    public static KeyInterest? NextTo(KeyInterest interest) => ThisOrYoungerIn(interest.Place, interest.Younger);

    /// <summary>Adds an interest, behind those that are in its list.</summary>
    public void Add(ulong number, KeyInterest interest)
    {
        ref var ends = ref CollectionsMarshal.GetValueRefOrAddDefault(_lists, number, out _);
        interest.Older = ends.Youngest;
        interest.Younger = null;
        if (ends.Youngest == null)
        {
            ends.Oldest = interest;
        }
        else
        {
            ends.Youngest.Younger = interest;
        }

        ends.Youngest = interest;
    }

    /// <summary>Takes out an interest, which is in the list of that number.</summary>
    public void Remove(ulong number, KeyInterest interest)
    {
        ref var ends = ref CollectionsMarshal.GetValueRefOrNullRef(_lists, number);
        if (interest.Older == null)
        {
            ends.Oldest = interest.Younger;
        }
        else
        {
            interest.Older.Younger = interest.Younger;
        }

        if (interest.Younger == null)
        {
            ends.Youngest = interest.Older;
        }
        else
        {
            interest.Younger.Older = interest.Older;
        }

        if (ends.Oldest == null)
        {
            _ = _lists.Remove(number);
        }

        interest.Older = null;
        interest.Younger = null;
    }

    /// <summary>Adds all interests to a list, each key's in their order.</summary>
    public void CopyTo(List<KeyInterest> all)
    {
        foreach (var ends in _lists.Values)
        {
            for (var interest = ends.Oldest; interest != null; interest = interest.Younger)
            {
                all.Add(interest);
            }
        }
    }

    // Keys whose hashes are alike share a list.
    private static KeyInterest? ThisOrYoungerIn(in Key key, KeyInterest? interest)
    {
        while (interest != null && !interest.StandsUnder(key))
        {
            interest = interest.Younger;
        }

        return interest;
    }

    private struct Ends
    {
        public KeyInterest? Oldest;
        public KeyInterest? Youngest;
    }
}
