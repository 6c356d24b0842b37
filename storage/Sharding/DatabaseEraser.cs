using Strata.Storage.Log;

namespace Strata.Storage.Sharding;

/// <summary>Deletes the keys of one database among those of others.</summary>
internal static unsafe class DatabaseEraser
{
    /// <summary>Goes over all pages in memory. Of what is on the device alone it is known without reading whose it is:
    /// that is the tier's part.</summary>
    public static void Erase(Shard shard, byte database)
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

    private static void ErasePage(Shard shard, int page, byte database)
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
