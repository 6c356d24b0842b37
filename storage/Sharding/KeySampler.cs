using Strata.Storage.Index;
using Strata.Storage.Log;
using Strata.Storage.Records;
using Strata.Storage.Tiering;

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

    /// <summary>The key that an earlier draw met on the device alone, now that its record was read.</summary>
    /// <returns>False when there was none, or it is gone meanwhile.</returns>
    public static bool TryTakeRead(byte database, long nowMs, out Record record)
    {
        record = default;
        return ColdReadSet.Current is { } set && set.TryTakeLive(database, nowMs, out record);
    }

    /// <summary>Draws a key that is not expired; a null record when the key's record must be read first.</summary>
    /// <returns>False when there is none.</returns>
    public static bool TryDraw(Shard shard, byte database, long nowMs, out Record record)
    {
        if (shard.Databases.Keys(database) == 0)
        {
            record = default;
            return false;
        }

        return TryDrawPlace(shard, database, nowMs, out record)
            || (shard.Index.BucketCount <= SmallIndexBuckets
                ? TryDrawFromAll(shard, database, nowMs, out record)
                : TryFindNext(shard, database, nowMs, out record));
    }

    private static bool TryDrawPlace(Shard shard, byte database, long nowMs, out Record record)
    {
        var misses = ColdReadSet.CurrentMisses;
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
                if (!shard.TryOpenOf(database, IndexEntry.Address(bucket[place]), out record))
                {
                    if (ColdReadSet.CurrentMisses != misses)
                    {
                        return true; // Whose key was drawn is known when the record is there.
                    }

                    continue;
                }

                if (!record.IsExpired(nowMs))
                {
                    return true;
                }

                shard.Expire(record.ComputeHash(), bucket + place, record);
            }
        }

        record = default;
        return false;
    }

    /// <summary>Reservoir sampling: the n-th key replaces the one chosen so far with a chance of 1 in n.</summary>
    private static bool TryDrawFromAll(Shard shard, byte database, long nowMs, out Record record)
    {
        record = default;
        var met = 0;
        var walk = new KeyWalk(shard, database);
        do
        {
            walk.EnterBucket();
            while (walk.TryNext(out var candidate))
            {
                if (candidate.IsExpired(nowMs))
                {
                    walk.Expire(candidate);
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

    private static bool TryFindNext(Shard shard, byte database, long nowMs, out Record record)
    {
        var start = (ulong)shard.Random.NextInt64(shard.Index.BucketCount);
        return TryFindFrom(shard, database, nowMs, start, out record)
            || TryFindFrom(shard, database, nowMs, cursor: 0, out record);
    }

    private static bool TryFindFrom(Shard shard, byte database, long nowMs, ulong cursor, out Record record)
    {
        var walk = new KeyWalk(shard, database, cursor);
        do
        {
            walk.EnterBucket();
            while (walk.TryNext(out record))
            {
                if (!record.IsExpired(nowMs))
                {
                    return true;
                }

                walk.Expire(record);
            }
        }
        while (walk.Cursor != 0);
        record = default;
        return false;
    }
}
