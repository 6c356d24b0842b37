using Strata.Storage.Changes;
using Strata.Storage.Index;
using Strata.Storage.Leases;
using Strata.Storage.Log;
using Strata.Storage.Records;

namespace Strata.Storage.Interests;

/// <summary>Who is interested in which keys of a shard; it listens to the shard's changes as long as anybody is. In
/// which order they are found, deriving classes say. Part of the shard: used under its lease.</summary>
public abstract class KeyInterests : IChangeListener
{
    private List<KeyInterest>? _moving;

    private protected KeyInterests(RecordStore store)
    {
        Store = store;
        OfHash = _ => this;
    }

    /// <summary>Interests entered. While there are none, nobody needs to look further.</summary>
    public int Count { get; private set; }

    /// <summary>Keys that somebody is interested in; any thread may read it.</summary>
    public abstract int Keys { get; }

    /// <summary>The number of the youngest one.</summary>
    internal long Youngest { get; private set; }

    internal ShardLease Lease => Store.Lease;

    /// <summary>Gives the interests of this kind in the keys of a hash, which may be another shard's.</summary>
    internal Func<ulong, KeyInterests> OfHash { get; set; }

    /// <summary>The shard of the keys.</summary>
    private protected RecordStore Store { get; }

    /// <summary>A copy of all interests: those in the same key in the order they came, where that matters.</summary>
    public abstract List<KeyInterest> Copy();

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

    /// <summary>An interest is one of these from here on: enters it behind those in the same key.</summary>
    private protected abstract void OnAdded(KeyInterest interest);

    /// <summary>An interest is one of these no longer.</summary>
    private protected abstract void OnRemoved(KeyInterest interest);

    internal void Add(KeyInterest interest)
    {
        if (Count == 0)
        {
            Store.Changes.Add(this);
        }

        interest.Number = ++Youngest;
        OnAdded(interest);
        Count++;
        Store.Budget.Charge(interest.SizeBytes);
    }

    internal void Remove(KeyInterest interest)
    {
        Count--;
        OnRemoved(interest);
        Store.Budget.Charge(-interest.SizeBytes);
        if (Count == 0)
        {
            Store.Changes.Remove(this);
        }
    }
}
