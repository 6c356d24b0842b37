using Strata.Storage.Index;

namespace Strata.Storage.Interests;

/// <summary>The interests of one party, at most one in each key, in the order they were added. On the thread of its
/// worker; keys are looked for under the leases of their shards, so that none goes over to another meanwhile.</summary>
/// <typeparam name="T">The kind of interest.</typeparam>
public sealed class KeyInterestSet<T>
    where T : KeyInterest
{
    // Up to here going over all of them is faster, and takes no memory.
    private const int MostSearched = 8;

    private readonly List<T> _all = [];
    private HashSet<T>? _byKey;

    /// <summary>How many keys there are.</summary>
    public int Count => _all.Count;

    /// <summary>One of them, by the order they were added in.</summary>
    public T this[int index] => _all[index];

    /// <summary>Whether there is an interest in a key. One whose databases were swapped since it was added may be
    /// missed.</summary>
    public bool Contains(in Key key)
    {
        if (_byKey != null)
        {
            return _byKey.GetAlternateLookup<Key>().Contains(key);
        }

        foreach (var interest in _all)
        {
            if (interest.IsIn(key))
            {
                return true;
            }
        }

        return false;
    }

    /// <summary>Adds an interest in a key that is not in the set.</summary>
    public void Add(T interest)
    {
        _all.Add(interest);
        if (_byKey != null)
        {
            _ = _byKey.Add(interest);
        }
        else if (_all.Count > MostSearched)
        {
            _byKey = new HashSet<T>(_all, new ByKey());
        }
    }

    /// <summary>Goes over all of them.</summary>
    public List<T>.Enumerator GetEnumerator() => _all.GetEnumerator();

    private sealed class ByKey : IEqualityComparer<T>, IAlternateEqualityComparer<Key, T>
    {
        public bool Equals(T? left, T? right) => ReferenceEquals(left, right) || left!.IsIn(right!.Key);

        public int GetHashCode(T interest) => interest.Key.Hash.GetHashCode();

        public bool Equals(Key key, T interest) => interest.IsIn(key);

        public int GetHashCode(Key key) => key.Hash.GetHashCode();

        public T Create(Key key) => throw new NotSupportedException("keys are only looked for");
    }
}
