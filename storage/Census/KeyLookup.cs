using System.Numerics;
using Strata.Storage.Collections;
using Strata.Storage.Index;
using Strata.Storage.Log;

namespace Strata.Storage.Census;

/// <summary>Looks up what known keys take by now, and where they are, without reading the device. Under the shard's
/// lease.</summary>
internal sealed unsafe class KeyLookup(CollectionStore store)
{
    /// <summary>Looks a key up.</summary>
    /// <returns>False where it is not there any more.</returns>
    public bool TryRefresh(CensusTable table, int index)
    {
        ref var entry = ref table.Entries[index];
        var isWhereItWas = store.FindSlot(entry.Hash, entry.Address) != null;
        if (!isWhereItWas && !TryFind(table, index, out entry.Address))
        {
            return false;
        }

        var (log, address) = (store.Log, entry.Address);
        entry.IsCold = log.IsCold(address);
        if (!entry.IsCold)
        {
            entry.Bytes = ShardCollections.UsageOf(log.Open(address));
        }
        else if (!isWhereItWas && log.Pages[log.PageOf(address)].IsJumbo)
        {
            entry.Bytes = log.Pages[log.PageOf(address)].LiveBytes + HashIndex.BytesPerKey;
        }

        return true;
    }

    /// <summary>Finds a key that is not where it was. On the device, where its name is not at hand, it is known by the
    /// part of its hash that the index has.</summary>
    private bool TryFind(CensusTable table, int index, out ulong address)
    {
        var hash = table.Entries[index].Hash;
        var cold = 0UL;
        for (var bucket = store.Index.Bucket(store.Index.BucketOf(hash)); bucket != null;)
        {
            for (var match = HashIndex.Match(bucket, IndexEntry.TagInPlace(hash)); match != 0; match &= match - 1)
            {
                address = IndexEntry.Address(bucket[BitOperations.TrailingZeroCount(match)]);
                if (address == 0)
                {
                    continue;
                }

                if (store.Log.IsCold(address))
                {
                    cold = address;
                }
                else if (IsOf(store.Log.Open(address), table, index))
                {
                    return true;
                }
            }

            bucket = store.Index.Next(bucket);
        }

        address = cold;
        return cold != 0;
    }

    private static bool IsOf(in Record record, CensusTable table, int index)
        => record.Database == table.Entries[index].Database && table.HasName(index, record.Key);
}
