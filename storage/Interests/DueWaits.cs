using System.Runtime.InteropServices;
using Strata.Storage.Index;

namespace Strata.Storage.Interests;

/// <summary>Those who may have something at keys they wait for, by the key they stand under, and by age: they become
/// due, and have looked, in any order, and who came first is found at once.</summary>
internal sealed class DueWaits
{
    private readonly Dictionary<ulong, SortedSet<AwaitedKey>> _byHash = [];

    /// <summary>Who came first before the others.</summary>
    public static IComparer<AwaitedKey> ByAge { get; } = new Age();

    /// <summary>Who came first of those at a key.</summary>
    public AwaitedKey? FirstIn(in Key key)
    {
        if (!_byHash.TryGetValue(key.Hash, out var due) || due.Min!.StandsUnder(key))
        {
            return due?.Min;
        }

        foreach (var awaited in due)
        {
            if (awaited.StandsUnder(key))
            {
                return awaited; // Keys whose hashes are alike are in one set.
            }
        }

        return null;
    }

    /// <summary>Adds somebody who is not in.</summary>
    public void Add(AwaitedKey awaited)
    {
        ref var due = ref CollectionsMarshal.GetValueRefOrAddDefault(_byHash, awaited.Place.Hash, out _);
        due ??= new SortedSet<AwaitedKey>(ByAge);
        _ = due.Add(awaited);
    }

    /// <summary>Takes out somebody who is in.</summary>
    public void Remove(AwaitedKey awaited)
    {
        var due = _byHash[awaited.Place.Hash];
        _ = due.Remove(awaited);
        if (due.Count == 0)
        {
            _ = _byHash.Remove(awaited.Place.Hash);
        }
    }

    private sealed class Age : IComparer<AwaitedKey>
    {
        public int Compare(AwaitedKey? one, AwaitedKey? other) => one!.Number.CompareTo(other!.Number);
    }
}
