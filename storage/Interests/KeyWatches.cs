using Strata.Storage.Changes;
using Strata.Storage.Index;
using Strata.Storage.Log;
using Strata.Storage.Records;

namespace Strata.Storage.Interests;

/// <summary>Who watches keys of a shard for any change (WATCH).</summary>
public sealed class KeyWatches : KeyInterests
{
    internal KeyWatches(RecordStore store)
        : base(store)
    {
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

        for (var watch = OldestIn(key); watch != null; watch = NextIn(key, watch))
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
        foreach (var watch in Copy())
        {
            if (database == ShardChanges.AllDatabases || watch.Key.Database == database)
            {
                TellOfEnd((WatchedKey)watch);
            }
        }
    }

    /// <inheritdoc/>
    private protected override void OnPlaceChanging(KeyInterest interest) => TellOfEnd((WatchedKey)interest);

    /// <inheritdoc/>
    private protected override void OnPlaceChanged(KeyInterest interest, IChangeAuthor? author)
    {
        if (MayBeThere(interest.Key))
        {
            ((WatchedKey)interest).Tell();
        }
    }

    private void TellOfEnd(WatchedKey watch)
    {
        if (MayBeThere(watch.Key))
        {
            watch.TellOfEnd();
        }
    }
}
