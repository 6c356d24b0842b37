using Strata.Storage.Changes;
using Strata.Storage.Index;
using Strata.Storage.Log;
using Strata.Storage.Records;

namespace Strata.Storage.Interests;

/// <summary>Who watches keys of a shard for any change (WATCH).</summary>
public sealed class KeyWatches : KeyInterests
{
    private readonly InterestLists _watches = new();
    private List<KeyInterest>? _exchanged;

    internal KeyWatches(RecordStore store)
        : base(store)
    {
    }

    /// <inheritdoc/>
    public override int Keys => _watches.Count;

    /// <summary>How many are looked at for a change of whole databases; of more all count as changed, with those of all
    /// other shards.</summary>
    internal int MostTold { get; set; } = int.MaxValue;

    /// <summary>Where it is counted that all count as changed.</summary>
    internal WatchEpoch Epoch { get; set; } = new();

    /// <summary>The oldest interest in a key.</summary>
    public KeyInterest? OldestIn(in Key key) => _watches.OldestIn(PlaceOf(key));

    /// <summary>The next younger interest in the same key.</summary>
    public static KeyInterest? NextTo(KeyInterest interest) => InterestLists.NextTo(interest);

    /// <inheritdoc/>
    public override List<KeyInterest> Copy()
    {
        var all = new List<KeyInterest>(Count);
        _watches.CopyTo(all);
        return all;
    }

    /// <inheritdoc/>
    /// <remarks>As in Redis, of a string that was only made longer nobody is told. That a key is new is told before
    /// what was done to it.</remarks>
    public override void Changed(in Key key, in Record record, in Change change)
    {
        if (change.What == KeyEvent.New || change.What.IsUnwatched)
        {
            return;
        }

        for (var watch = OldestIn(key); watch != null; watch = NextTo(watch))
        {
            if (change.What == KeyEvent.Expired)
            {
                ((WatchedKey)watch).TellOfEnd();
            }
            else
            {
                ((WatchedKey)watch).Tell();
            }
        }
    }

    /// <inheritdoc/>
    public override void BeforeClear(int database)
    {
        if (Count > MostTold)
        {
            Epoch.Advance();
            return;
        }

        foreach (var watch in Copy())
        {
            if (database == ShardChanges.AllDatabases || watch.Key.Database == database)
            {
                TellOfEnd((WatchedKey)watch);
            }
        }
    }

    /// <inheritdoc/>
    /// <remarks>Those that all count as changed stay where they are: their transactions have failed.</remarks>
    public override void BeforeExchange(byte first, byte second)
    {
        if (Count > MostTold)
        {
            Epoch.Advance();
            return;
        }

        _exchanged = Copy().FindAll(watch => watch.Key.Database == first || watch.Key.Database == second);
        _exchanged.ForEach(watch => TellOfEnd((WatchedKey)watch));
    }

    /// <inheritdoc/>
    public override void Exchanged(byte first, byte second, IChangeAuthor? author)
    {
        if (_exchanged == null)
        {
            return;
        }

        ExchangePlaces(first, second);
        foreach (var watch in _exchanged)
        {
            if (MayBeThere(watch.Key))
            {
                ((WatchedKey)watch).Tell();
            }
        }

        _exchanged = null;
    }

    /// <inheritdoc/>
    private protected override void OnAdded(KeyInterest interest) => _watches.Add(interest.Place.Hash, interest);

    /// <inheritdoc/>
    private protected override void OnRemoved(KeyInterest interest) => _watches.Remove(interest.Place.Hash, interest);

    private void TellOfEnd(WatchedKey watch)
    {
        if (MayBeThere(watch.Key))
        {
            watch.TellOfEnd();
        }
    }
}
