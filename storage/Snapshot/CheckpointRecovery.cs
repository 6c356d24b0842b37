using Strata.Storage.Index;
using Strata.Storage.Log;
using Strata.Storage.Sharding;

namespace Strata.Storage.Snapshot;

/// <summary>
/// Puts back what a checkpoint names into shards that hold nothing: first all pages, then the entries that point to
/// them, in whatever order; nothing is read from the device. What cannot be is refused: then the shards are of no use.
/// One thread, before anybody else uses the shards, or while it holds all leases.
/// </summary>
public sealed unsafe class CheckpointRecovery
{
    private readonly ShardMap _shards;
    private readonly long _checkpoint;
    private long _lastGeneration;

    /// <summary>Begins.</summary>
    /// <param name="shards">Empty shards with a tier.</param>
    public CheckpointRecovery(ShardMap shards)
    {
        _shards = shards;
        _checkpoint = shards.Tier!.Checkpoints.Begin();
    }

    /// <summary>Entries put back.</summary>
    public long Entries { get; private set; }

    /// <summary>Puts a page back.</summary>
    /// <returns>False where there can be no such page.</returns>
    public bool TryAddPage(int shard, in KeptPage page)
    {
        _lastGeneration = Math.Max(_lastGeneration, page.Generation);
        return _shards[shard].Log.Device!.TryRestore(page);
    }

    /// <summary>All pages are there. Their segments must be on the device, and stay there.</summary>
    /// <param name="salt">A random number, so that two starts from one checkpoint give out other generations.</param>
    /// <param name="problem">Which segment is not as it must be, or null.</param>
    public void EndPages(uint salt, out string? problem)
    {
        problem = null;
        var generation = (((_lastGeneration >> 32) + 1) << 32) | salt;
        foreach (var shard in _shards.All)
        {
            var device = shard.Log.Device!;
            device.EndRestore(generation);
            shard.Collections.MayBeFrozen |= shard.HasCold;
            foreach (var segment in device.Segments.InUse())
            {
                shard.Tier!.Holds.Hold(_checkpoint, segment);
                problem ??= ProblemOf(device.Segments, segment);
            }
        }

        _shards.Tier!.Checkpoints.OnListed(_checkpoint, isCheckpoint: true);
    }

    /// <summary>Puts a key's entry back.</summary>
    /// <returns>False where it points nowhere.</returns>
    /// <exception cref="Memory.MemoryExhaustedException">The index has no room.</exception>
    public bool TryAddEntry(int number, ulong entry, byte bucketBits)
    {
        var shard = _shards[number];
        var address = IndexEntry.Address(entry);
        var page = shard.Log.PageOf(address);
        if (page <= 0 || page >= shard.Log.PageTop || bucketBits >> IndexEntry.BucketBitsBelowTag != 0)
        {
            return false;
        }

        ref readonly var info = ref shard.Log.Pages[page];
        var offset = shard.Log.OffsetOf(address);
        if (info.Kind != PageKind.Cold || offset < RecordLog.FirstOffset || offset >= info.UsedBytes)
        {
            return false;
        }

        var hash = IndexEntry.BucketHash(entry, bucketBits);
        shard.Index.Insert(hash, address, IndexEntry.Frequency(entry));
        shard.Databases.Add(info.Database, expiryMs: -1);
        Entries++;
        return true;
    }

    /// <summary>All keys are there: counts those that expire as at the checkpoint's moment.</summary>
    /// <param name="number">The shard.</param>
    /// <param name="database">A database's physical number.</param>
    /// <param name="keys">How many keys it must have.</param>
    /// <param name="expiring">How many of them expire.</param>
    /// <param name="timeLeftMs">The times that those had left, added up.</param>
    /// <param name="atMs">When that was.</param>
    /// <returns>False where it has another number of keys.</returns>
    public bool TryEndDatabase(int number, byte database, long keys, long expiring, long timeLeftMs, long atMs)
    {
        var counters = _shards[number].Databases;
        counters.SetExpiring(database, expiring, timeLeftMs, atMs);
        _shards[number].Census.OnRestored();
        return counters.Keys(database) == keys;
    }

    private string? ProblemOf(LogSegments segments, LogSegment segment)
    {
        var left = segment.UsedBytes;
        for (var i = 0; i < segment.Span; i++)
        {
            var deviceNumber = segments.DeviceNumber(segment, i);
            var needed = Math.Min(left, segments.SegmentBytes);
            var found = _shards.Tier!.Device.SizeOf(deviceNumber);
            if (found < needed)
            {
                return $"segment.{deviceNumber} has {found} bytes, and must have {needed}";
            }

            left -= needed;
        }

        return null;
    }
}
