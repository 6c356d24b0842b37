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
    public override void Changed(in Key key, in Record record, in Change change)
    {
        for (var watch = OldestIn(key); watch != null; watch = NextIn(key, watch))
        {
            ((WatchedKey)watch).Tell();
        }
    }

    /// <inheritdoc/>
    public override void BeforeClear(int database)
    {
        foreach (var watch in Copy())
        {
            if ((database == ShardChanges.AllDatabases || watch.Key.Database == database) && MayBeThere(watch.Key))
            {
                ((WatchedKey)watch).Tell();
            }
        }
    }

    /// <summary>Whether a key is there, its time come or not. Nothing is read from the device to find out: where a
    /// shard has data there, one key in some thousands that are not there seems to be.</summary>
    internal bool MayBeThere(in Key key)
        => Store.HasCold
            ? Store.Index.MayContain(key.Hash)
            : Store.Find(key, nowMs: 0, cold: null, out _) != FindResult.Missing;
}
