using Strata.Storage.Changes;
using Strata.Storage.Index;
using Strata.Storage.Log;

namespace Strata.Storage.Records;

/// <summary>Deletes all keys of a shard, or of one database in it. The lease must be held.</summary>
public static class DatabaseEraser
{
    /// <summary>Deletes all keys of all databases.</summary>
    /// <param name="store">The shard's.</param>
    /// <param name="author">Who asked for it.</param>
    public static void EraseAll(RecordStore store, IChangeAuthor? author)
    {
        store.Changes.BeforeClear(ShardChanges.AllDatabases);
        var keys = store.Index.Count;
        store.Empty();
        store.Changes.TellCleared(ShardChanges.AllDatabases, keys, author);
    }

    /// <summary>Deletes all keys of one database.</summary>
    /// <param name="store">The shard's.</param>
    /// <param name="database">The database, by its physical number.</param>
    /// <param name="author">Who asked for it.</param>
    public static void Erase(RecordStore store, byte database, IChangeAuthor? author)
    {
        store.Changes.BeforeClear(database);
        var keys = store.Databases.Keys(database);
        if (keys == store.Index.Count)
        {
            store.Empty();
        }
        else if (keys > 0)
        {
            EraseInMemory(store, database);
            if (store.Log.Device != null)
            {
                EraseOnDevice(store, database);
            }
        }

        store.Changes.TellCleared(database, keys, author);
    }

    /// <summary>Goes over all pages in memory.</summary>
    private static void EraseInMemory(RecordStore store, byte database)
    {
        // Pages made meanwhile hold nothing of the database.
        var top = store.Log.PageTop;
        for (var page = 1; page < top; page++)
        {
            if (store.Log.Pages[page].Kind is not (PageKind.Free or PageKind.Cold))
            {
                ErasePage(store, page, database);
            }
        }
    }

    private static unsafe void ErasePage(RecordStore store, int page, byte database)
    {
        for (long offset = 0; store.Log.TryWalk(page, ref offset, out var record);)
        {
            if (record.Database == database && store.TryFindLive(record, out var hash, out var slot))
            {
                store.Drop(hash, slot, record);
            }

            if (store.Log.Pages[page].Kind == PageKind.Free)
            {
                return; // It held one record, and that is gone.
            }
        }
    }

    /// <summary>Deletes keys that are on the device alone, without reading them: a page there holds one database's
    /// records.</summary>
    private static unsafe void EraseOnDevice(RecordStore store, byte database)
    {
        var index = store.Index;
        var cursor = 0UL;
        do
        {
            cursor = index.NextCursor(cursor, out var number);
            for (var bucket = index.Bucket(number); bucket != null;)
            {
                var slot = FindColdOf(store.Log, database, bucket);
                if (slot == null)
                {
                    bucket = index.Next(bucket);
                    continue;
                }

                index.RemoveFrom(number, slot);
                bucket = index.Bucket(number); // The hole was filled from the chain's end.
            }
        }
        while (cursor != 0);
        store.Databases.Clear(database);
        for (var page = 1; page < store.Log.PageTop; page++)
        {
            if (store.Log.Pages[page].Kind == PageKind.Cold && store.Log.Pages[page].Database == database)
            {
                store.Log.Device!.Forget(page, store.Log.Pages[page].LiveBytes);
            }
        }
    }

    private static unsafe ulong* FindColdOf(RecordLog log, byte database, ulong* bucket)
    {
        for (var slot = bucket; slot < bucket + HashIndex.EntriesPerBucket; slot++)
        {
            if (*slot != 0 && log.IsCold(IndexEntry.Address(*slot))
                && log.Pages[log.PageOf(IndexEntry.Address(*slot))].Database == database)
            {
                return slot;
            }
        }

        return null;
    }
}
