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
    private readonly InterestPlaces _places = new();

    private protected KeyInterests(RecordStore store)
    {
        Store = store;
    }

    /// <summary>Interests entered. While there are none, nobody needs to look further.</summary>
    public int Count { get; private set; }

    /// <summary>Keys that somebody is interested in; any thread may read it.</summary>
    public abstract int Keys { get; }

    /// <summary>The number of the youngest one.</summary>
    internal long Youngest { get; private set; }

    internal ShardLease Lease => Store.Lease;

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
    public abstract void BeforeExchange(byte first, byte second);

    /// <inheritdoc/>
    public abstract void Exchanged(byte first, byte second, IChangeAuthor? author);

    /// <summary>The key that an interest in a key stands under.</summary>
    internal Key PlaceOf(in Key key) => _places.PlaceOf(key);

    /// <summary>The key that those are interested in who stand under one.</summary>
    internal Key KeyAt(in Key place) => _places.KeyAt(place);

    /// <summary>All who are interested in keys of two databases go on with those of the same names in the other one.
    /// </summary>
    private protected void ExchangePlaces(byte first, byte second) => _places.Exchange(first, second);

    /// <summary>Whether a key is there, its time come or not. Nothing is read from the device to find out: where a
    /// shard has data there, one key in some thousands that are not there seems to be.</summary>
    private protected bool MayBeThere(in Key key)
        => Store.HasCold
            ? Store.Index.MayContain(key.Hash)
            : Store.Find(key, nowMs: 0, cold: null, out _) != FindResult.Missing;

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
