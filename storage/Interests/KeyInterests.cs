using System.Runtime.InteropServices;
using Strata.Storage.Changes;
using Strata.Storage.Index;
using Strata.Storage.Leases;
using Strata.Storage.Log;
using Strata.Storage.Records;

namespace Strata.Storage.Interests;

/// <summary>Who is interested in which keys of a shard, by key in the order they came; it listens to the shard's
/// changes as long as anybody is. Part of the shard: used under its lease.</summary>
public abstract class KeyInterests : IChangeListener
{
    private readonly Dictionary<ulong, Ends> _byHash = [];
    private List<KeyInterest>? _moving;

    private protected KeyInterests(RecordStore store)
    {
        Store = store;
        OfHash = _ => this;
    }

    /// <summary>Interests entered. While there are none, nobody needs to look further.</summary>
    public int Count { get; private set; }

    /// <summary>Keys that somebody is interested in; any thread may read it.</summary>
    public int Keys => _byHash.Count;

    /// <summary>The number of the youngest one.</summary>
    internal long Youngest { get; private set; }

    internal ShardLease Lease => Store.Lease;

    /// <summary>Gives the interests of this kind in the keys of a hash, which may be another shard's.</summary>
    internal Func<ulong, KeyInterests> OfHash { get; set; }

    /// <summary>The shard of the keys.</summary>
    private protected RecordStore Store { get; }

    /// <summary>The oldest interest in a key.</summary>
    public KeyInterest? OldestIn(in Key key)
        => _byHash.TryGetValue(key.Hash, out var ends) ? ThisOrYoungerIn(key, ends.Oldest) : null;

    /// <summary>The next younger interest in the same key.</summary>
    public static KeyInterest? NextIn(in Key key, KeyInterest interest) => ThisOrYoungerIn(key, interest.Younger);

    /// <summary>A copy of all interests, in no order.</summary>
    public List<KeyInterest> Copy()
    {
        var all = new List<KeyInterest>(Count);
        foreach (var ends in _byHash.Values)
        {
            for (var interest = ends.Oldest; interest != null; interest = interest.Younger)
            {
                all.Add(interest);
            }
        }

        return all;
    }

    /// <inheritdoc/>
    public virtual void BeforeChange(in Key key, in Record record)
    {
        // What interests is what the key is afterwards.
    }

    /// <inheritdoc/>
    public abstract void Changed(in Key key, in Record record, in Change change);

    /// <inheritdoc/>
    public virtual void BeforeClear(int database)
    {
    }

    /// <inheritdoc/>
    public virtual void Cleared(int database, IChangeAuthor? author)
    {
    }

    /// <inheritdoc/>
    public virtual void BeforeExchange(byte first, byte second)
    {
        _moving = Copy().FindAll(interest => interest.Key.Database == first || interest.Key.Database == second);
        _moving.ForEach(OnPlaceChanging);
    }

    /// <inheritdoc/>
    public void Exchanged(byte first, byte second, IChangeAuthor? author)
    {
        // None where the first interests came with this very exchange. Moved one by one they keep their order.
        foreach (var interest in _moving ?? [])
        {
            var key = interest.KeyIn(interest.Key.Database == first ? second : first);
            var there = OfHash(key.Hash);
            interest.MoveTo(key, there);
            there.OnPlaceChanged(interest, author);
        }

        _moving = null;
    }

    /// <summary>Whether a key is there, its time come or not. Nothing is read from the device to find out: where a
    /// shard has data there, one key in some thousands that are not there seems to be.</summary>
    private protected bool MayBeThere(in Key key)
        => Store.HasCold
            ? Store.Index.MayContain(key.Hash)
            : Store.Find(key, nowMs: 0, cold: null, out _) != FindResult.Missing;

    /// <summary>The key of the same name in another database is about to take the place of an interest's.</summary>
    private protected virtual void OnPlaceChanging(KeyInterest interest)
    {
    }

    /// <summary>An interest has become one of these, in the key that took the place of its own.</summary>
    /// <param name="interest">The interest.</param>
    /// <param name="author">Who exchanged the databases.</param>
    private protected abstract void OnPlaceChanged(KeyInterest interest, IChangeAuthor? author);

    /// <summary>An interest is one of these from here on.</summary>
    private protected virtual void OnAdded(KeyInterest interest)
    {
    }

    /// <summary>An interest is one of these no longer.</summary>
    private protected virtual void OnRemoved(KeyInterest interest)
    {
    }

    internal void Add(KeyInterest interest)
    {
        if (Count == 0)
        {
            Store.Changes.Add(this);
        }

        ref var ends = ref CollectionsMarshal.GetValueRefOrAddDefault(_byHash, interest.Key.Hash, out _);
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
        interest.Number = ++Youngest;
        OnAdded(interest);
        Count++;
        Store.Budget.Charge(interest.SizeBytes);
    }

    internal void Remove(KeyInterest interest)
    {
        ref var ends = ref CollectionsMarshal.GetValueRefOrNullRef(_byHash, interest.Key.Hash);
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

        Count--;
        OnRemoved(interest);
        Store.Budget.Charge(-interest.SizeBytes);
        if (Count == 0)
        {
            Store.Changes.Remove(this);
        }

        if (ends.Oldest == null)
        {
            _ = _byHash.Remove(interest.Key.Hash);
        }

        interest.Older = null;
        interest.Younger = null;
    }

    // Keys whose hashes are alike share a list.
    private static KeyInterest? ThisOrYoungerIn(in Key key, KeyInterest? interest)
    {
        while (interest != null && !interest.IsIn(key))
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
