using Strata.Storage.Index;
using Strata.Storage.Log;
using Strata.Storage.Records;

namespace Strata.Storage.Sharding;

/// <summary>
/// Draws a random key of one database from one shard, under its lease. Places of the index are drawn until one holds
/// such a key, which gives every key the same chance; that takes about 6 to 25 draws while the index is in use. Where
/// the database's keys are rarer, all keys of a small index are gone through, of equal chance again; in a large index
/// that mostly holds other databases' keys, the first key behind a random bucket is taken. Expired keys that are met
/// are deleted.
/// </summary>
public static unsafe class KeySampler
{
    // A chain of more than four buckets does not occur at the load where buckets are split.
    private const int PlacesPerBucket = 4 * HashIndex.EntriesPerBucket;
    private const int MaxDraws = 256;
    private const int SmallIndexBuckets = 4096;

    /// <summary>Draws a key that is not expired.</summary>
    /// <returns>Found; Missing when there is none; Cold when the record of the key that was drawn must be read before
    /// its name is known.</returns>
    public static FindResult Draw(Shard shard, byte database, long nowMs, IColdRecords? cold, out Record record)
    {
        record = default;
        if (shard.Databases.Keys(database) == 0)
        {
            return FindResult.Missing;
        }

        var drawn = DrawPlace(shard, database, nowMs, cold, out record);
        if (drawn != FindResult.Missing)
        {
            return drawn;
        }

        var isFound = shard.Index.BucketCount <= SmallIndexBuckets
            ? TryDrawFromAll(shard, database, nowMs, cold, out record)
            : TryFindNext(shard, database, nowMs, cold, out record);
        return isFound ? FindResult.Found : FindResult.Missing;
    }

    private static FindResult DrawPlace(
        Shard shard, byte database, long nowMs, IColdRecords? cold, out Record record)
    {
        for (var draw = 0; draw < MaxDraws; draw++)
        {
            var bucket = shard.Index.Bucket((uint)shard.Random.NextInt64(shard.Index.BucketCount));
            var place = shard.Random.Next(PlacesPerBucket);
            for (; bucket != null && place >= HashIndex.EntriesPerBucket; place -= HashIndex.EntriesPerBucket)
            {
                bucket = shard.Index.Next(bucket);
            }

            if (bucket != null && bucket[place] != 0)
            {
                var result = shard.Open(database, IndexEntry.Address(bucket[place]), cold, out record);
                if (result == FindResult.Found && record.IsExpired(nowMs))
                {
                    if (!shard.ExpiryHold.Holds(nowMs))
                    {
                        shard.Expire(record.ComputeHash(), bucket + place, record);
                    }
                }
                else if (result != FindResult.Missing)
                {
                    return result;
                }
            }
        }

        record = default;
        return FindResult.Missing;
    }

    /// <summary>Reservoir sampling: the n-th key replaces the one chosen so far with a chance of 1 in n.</summary>
    private static bool TryDrawFromAll(
        Shard shard, byte database, long nowMs, IColdRecords? cold, out Record record)
    {
        record = default;
        var met = 0;
        var walk = new KeyWalk(shard, database, cold);
        do
        {
            walk.EnterBucket();
            while (walk.TryNext(out var candidate))
            {
                if (candidate.IsExpired(nowMs))
                {
                    walk.Expire(candidate, nowMs);
                }
                else if (shard.Random.Next(++met) == 0)
                {
                    record = candidate;
                }
            }
        }
        while (walk.Cursor != 0);
        return met > 0;
    }

    private static bool TryFindNext(
        Shard shard, byte database, long nowMs, IColdRecords? cold, out Record record)
    {
        var start = (ulong)shard.Random.NextInt64(shard.Index.BucketCount);
        return TryFindFrom(shard, database, nowMs, cold, start, out record)
            || TryFindFrom(shard, database, nowMs, cold, cursor: 0, out record);
    }

    private static bool TryFindFrom(
        Shard shard, byte database, long nowMs, IColdRecords? cold, ulong cursor, out Record record)
    {
        var walk = new KeyWalk(shard, database, cold, cursor);
        do
        {
            walk.EnterBucket();
            while (walk.TryNext(out record))
            {
                if (!record.IsExpired(nowMs))
                {
                    return true;
                }

                walk.Expire(record, nowMs);
            }
        }
        while (walk.Cursor != 0);
        record = default;
        return false;
    }
}
