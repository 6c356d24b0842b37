using Strata.Storage.Changes;
using Strata.Storage.Log;

namespace Strata.Storage.Sharding;

/// <summary>Deletes all keys of a shard, or of one database in it. The lease must be held.</summary>
public static class DatabaseEraser
{
    /// <summary>Deletes all keys of all databases.</summary>
    /// <param name="shard">The shard.</param>
    /// <param name="author">Who asked for it.</param>
    public static void EraseAll(Shard shard, IChangeAuthor? author)
    {
        shard.Changes.BeforeClear(ShardChanges.AllDatabases);
        shard.Empty();
        shard.Changes.TellCleared(ShardChanges.AllDatabases, author);
    }

    /// <summary>Deletes all keys of one database.</summary>
    /// <param name="shard">The shard.</param>
    /// <param name="database">The database, by its physical number.</param>
    /// <param name="author">Who asked for it.</param>
    public static void Erase(Shard shard, byte database, IChangeAuthor? author)
    {
        shard.Changes.BeforeClear(database);
        if (shard.Databases.Keys(database) == shard.Index.Count)
        {
            shard.Empty();
        }
        else if (shard.Databases.Keys(database) > 0)
        {
            EraseInMemory(shard, database);
            shard.Tier?.Clear(database);
        }

        shard.Changes.TellCleared(database, author);
    }

    /// <summary>Goes over all pages in memory. Of what is on the device alone it is known without reading whose it is:
    /// that is the tier's part.</summary>
    private static void EraseInMemory(Shard shard, byte database)
    {
        // Pages made meanwhile hold nothing of the database.
        var top = shard.Log.PageTop;
        for (var page = 1; page < top; page++)
        {
            if (shard.Log.Pages[page].Kind is not (PageKind.Free or PageKind.Cold))
            {
                ErasePage(shard, page, database);
            }
        }
    }

    private static unsafe void ErasePage(Shard shard, int page, byte database)
    {
        for (long offset = 0; shard.Log.TryWalk(page, ref offset, out var record);)
        {
            if (record.Database == database && shard.TryFindLive(record, out var hash, out var slot))
            {
                shard.Drop(hash, slot, record);
            }

            if (shard.Log.Pages[page].Kind == PageKind.Free)
            {
                return; // It held one record, and that is gone.
            }
        }
    }
}
