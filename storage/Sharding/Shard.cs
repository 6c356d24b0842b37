using System.Numerics;
using System.Runtime.CompilerServices;
using Strata.Storage.Changes;
using Strata.Storage.Collections;
using Strata.Storage.Index;
using Strata.Storage.Log;
using Strata.Storage.Memory;
using Strata.Storage.Runtime;
using Strata.Storage.Tiering;

namespace Strata.Storage.Sharding;

/// <summary>
/// A part of the keys: index, record log, counters. Plain single-threaded code, changed only by the worker that holds
/// <see cref="Lease"/>; only <see cref="Find"/>, <see cref="Touch"/> and the counters may be used without it, and what
/// Find gives then counts only if the lease's version did not change meanwhile.
/// A <see cref="Record"/> stays readable until the command that got it ends, and is current until the next change of
/// its key.
/// </summary>
public sealed unsafe class Shard : IDisposable
{
    private readonly Maintenance _maintenance;
    private readonly Evictor _evictor;

    /// <summary>An empty shard with its part of <paramref name="memory"/>; what does not fit goes to the <paramref
    /// name="tier"/>, if there is one.</summary>
    public Shard(
        int number, ShardSettings settings, ShardMemory memory, MemoryBudget budget, Quiescence quiescence, Tier? tier)
    {
        Number = number;
        Watches = new KeyWatches(this);
        Waits = new KeyWaits(this);
        var platform = settings.Platform ?? Platform.Machine;
        Clock = platform.Clock;
        Random = platform.CreateRandom();
        var nowMs = Clock.GetUtcNow().ToUnixTimeMilliseconds();
        Databases = new DatabaseCounters(nowMs);
        Lease = new ShardLease(settings.IsShared);
        Index = new HashIndex(budget, memory.Index.Of(number));
        var segments = tier == null ? null : new LogSegments(number, settings.Shards, tier.SegmentBits, quiescence);
        Log = new RecordLog(budget, quiescence, memory.Log.Of(number), segments)
        {
            AccessClock = AccessClock.At(nowMs),
        };
        Collections = new ShardCollections(this, budget, memory.Heap.Of(number));
        var share = new ShardShare(this, budget, settings.Shards);
        Tier = tier == null ? null : new ShardTier(this, tier, budget, share);
        _maintenance = new Maintenance(this, budget, settings, share);
        _evictor = _maintenance.Evictor;
    }

    public int Number { get; }

    public ShardLease Lease { get; }

    public HashIndex Index { get; }

    public RecordLog Log { get; }

    /// <summary>Whether some records are on the device alone. Any thread.</summary>
    public bool HasCold => Log.HasCold;

    /// <summary>Whether commands may have to wait, for the device or for a collection to be made large. Any thread.
    /// </summary>
    public bool MakesWait => HasCold || Collections.Frozen > 0;

    /// <summary>The shard's traffic with the device; null where all stays in memory.</summary>
    internal ShardTier? Tier { get; }

    /// <summary>What the shard's collections need beside their records.</summary>
    public ShardCollections Collections { get; }

    public DatabaseCounters Databases { get; }

    public ShardStatistics Statistics { get; } = new();

    /// <summary>Where every change of a key is told.</summary>
    public ShardChanges Changes { get; } = new();

    /// <summary>Tells what background work takes.</summary>
    internal TimeProvider Clock { get; }

    /// <summary>Chooses what is evicted and which keys are drawn.</summary>
    internal Random Random { get; }

    /// <summary>Who watches keys (WATCH).</summary>
    public KeyWatches Watches { get; }

    /// <summary>Who waits for keys to have a value (BLPOP and its like).</summary>
    public KeyWaits Waits { get; }

    /// <summary>How records are chosen when memory runs out; also decides whether reads mark entries.</summary>
    public EvictionPolicy Policy
    {
        get => _evictor.Policy;
        set => _evictor.Policy = value;
    }

    /// <summary>Whether the background cycle deletes expired keys; off only in tests.</summary>
    public bool IsExpiryActive
    {
        get => _maintenance.IsExpiryActive;
        set => _maintenance.IsExpiryActive = value;
    }

    /// <summary>Memory of what eviction remembers of evicted keys.</summary>
    public long GhostBytes => _evictor.SizeBytes;

    /// <summary>Looks a key up without side effects. Safe without the lease.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public FindResult Find(in Key key, long nowMs, out Record record)
    {
        if (FindSlot(key, out record) == null)
        {
            return FindResult.Missing;
        }

        return record.IsExpired(nowMs) ? FindResult.Expired : FindResult.Found;
    }

    /// <summary>Asks the processor to fetch the record a hash leads to; its bucket should be in the cache already.
    /// Safe without the lease.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void PrefetchRecord(ulong hash)
    {
        var bucket = Index.Bucket(Index.BucketOf(hash));
        var match = HashIndex.Match(bucket, IndexEntry.TagInPlace(hash));
        if (match != 0)
        {
            Log.Prefetch(IndexEntry.Address(bucket[BitOperations.TrailingZeroCount(match)]));
        }
    }

    /// <summary>Marks a key as accessed, with the time and for the eviction policy. Safe without the lease.</summary>
    public void Touch(in Key key, in Record record)
    {
        record.SetAccessed(Log.AccessClock);
        if (!Log.CountsReads)
        {
            return;
        }

        var slot = FindSlot(key.Hash, record.Address);
        if (slot != null)
        {
            var entry = Volatile.Read(ref *slot);
            var frequency = IndexEntry.Frequency(entry);
            if (frequency < IndexEntry.MaxFrequency && IndexEntry.Address(entry) == record.Address)
            {
                // Losing this race loses one mark; the entry itself cannot be damaged.
                Interlocked.CompareExchange(ref *slot, IndexEntry.WithFrequency(entry, frequency + 1), entry);
            }
        }
    }

    /// <summary>Looks a key up under the lease, deleting it when its time has come.</summary>
    public bool TryGet(in Key key, long nowMs, out Record record)
    {
        switch (Find(key, nowMs, out record))
        {
            case FindResult.Found:
                return true;
            case FindResult.Expired:
                Expire(key.Hash, SlotOf(key, record), record);
                record = default;
                return false;
            default:
                return false;
        }
    }

    /// <summary>Makes <paramref name="spec"/> the key's record, with a value, replacing what is there.</summary>
    /// <param name="key">The key.</param>
    /// <param name="existing">The key's record as just looked up, or a null one when there is none.</param>
    /// <param name="spec">The new record.</param>
    /// <param name="value">The value; it must not lie in <paramref name="existing"/>.</param>
    /// <param name="change">What is told of it.</param>
    /// <exception cref="MemoryExhaustedException">Nothing was changed.</exception>
    public Record Put(
        in Key key, in Record existing, in RecordSpec spec, ReadOnlySpan<byte> value, in Change change)
    {
        Changes.Before(key, existing);
        var wasMissing = existing.IsNull;
        var record = Write(key, existing, spec, value.Length);
        value.CopyTo(record.MutableValue);
        Changes.TellWhole(key, wasMissing, record, change);
        return record;
    }

    /// <summary>Sets a key's expiry; -1 takes it off.</summary>
    /// <exception cref="MemoryExhaustedException">Nothing was changed.</exception>
    public Record SetExpiry(in Key key, in Record existing, long expiryMs, in Change change)
    {
        Changes.Before(key, existing);
        var record = existing;
        if (existing.HasExpiry == (expiryMs >= 0) && (!existing.HasExpiry || Log.IsMutable(existing)))
        {
            MoveExpiry(existing, expiryMs);
        }
        else
        {
            var spec = new RecordSpec(key, existing.Type, expiryMs, existing.Flags);
            record = Replace(key, existing, spec, existing.ValueLength, capacity: 0);
            existing.Value.CopyTo(record.MutableValue);
        }

        Changes.Tell(key, record, change);
        return record;
    }

    /// <summary>Deletes a key.</summary>
    public void Remove(in Key key, in Record existing, in Change change)
        => Remove(key, SlotOf(key, existing), existing, change);

    /// <summary>Looks a key up under the lease and deletes it.</summary>
    /// <returns>Whether it was there and its time had not come.</returns>
    public bool TryRemove(in Key key, long nowMs, in Change change)
    {
        var slot = FindSlot(key, out var record);
        if (slot == null)
        {
            return false;
        }

        if (record.IsExpired(nowMs))
        {
            Expire(key.Hash, slot, record);
            return false;
        }

        Remove(key, slot, record, change);
        return true;
    }

    /// <summary>How often a key was read lately, as the eviction policy counts it: 0 to <see
    /// cref="IndexEntry.MaxFrequency"/>.</summary>
    public int FrequencyOf(in Key key, in Record record)
    {
        var slot = FindSlot(key.Hash, record.Address);
        return slot == null ? 0 : IndexEntry.Frequency(*slot);
    }

    /// <summary>Work that keeps the shard within its bounds, a little at a time: frees retired memory, compacts,
    /// evicts. Called under the lease after commands, when no one on this worker holds a record.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Settle(int worker, long nowMs)
    {
        if (_maintenance.IsDue)
        {
            _maintenance.Settle(worker, nowMs);
        }
    }

    /// <summary>Evicts, or compacts, about a page's worth; for taking turns among shards. Called under the lease
    /// between commands.</summary>
    /// <returns>False when the policy lets nothing of this shard go.</returns>
    public bool TryGiveUp(int worker, long nowMs) => _maintenance.TryStep(worker, nowMs);

    /// <summary>The home worker's share of background work: expiry, index shrinking, compaction, for at most <paramref
    /// name="budgetTicks"/> of <see cref="System.Diagnostics.Stopwatch"/>.</summary>
    public void RunCycle(int worker, long nowMs, long budgetTicks) => _maintenance.RunCycle(worker, nowMs, budgetTicks);

    /// <inheritdoc/>
    public void Dispose()
    {
        _maintenance.Dispose();
        Collections.Dispose();
        Log.Dispose();
        Index.Dispose();
        Lease.Dispose();
    }

    /// <summary>
    /// Makes <paramref name="spec"/> the key's record, replacing what is there. The value has <paramref
    /// name="valueLength"/> bytes, which the caller writes; before that they hold anything. The change is the caller's
    /// to tell.
    /// </summary>
    /// <param name="key">The key.</param>
    /// <param name="existing">The key's record as just looked up, or a null one when there is none.</param>
    /// <param name="spec">The new record.</param>
    /// <param name="valueLength">Bytes of the value.</param>
    /// <param name="capacity">Bytes the value may grow to in place.</param>
    /// <exception cref="MemoryExhaustedException">Nothing was changed.</exception>
    internal Record Write(in Key key, in Record existing, in RecordSpec spec, int valueLength, long capacity = 0)
    {
        if (existing.IsNull)
        {
            var kind = _evictor.PlaceNew(key.Hash, spec.ExpiryMs >= 0, valueLength);
            var added = Log.Append(kind, spec, valueLength, capacity);
            Index.Insert(key.Hash, added.Address, _evictor.FirstFrequency(valueLength));
            Databases.Add(key.Database, added.ExpiryMs);
            return added;
        }

        if (existing.Type != RecordType.String || spec.Type != RecordType.String)
        {
            return Collections.Replace(key, existing, spec, valueLength, capacity);
        }

        var room = Math.Max(valueLength, capacity);
        if (existing.HasExpiry == (spec.ExpiryMs >= 0) && room <= existing.ValueCapacity && Log.IsMutable(existing)
            && !Log.IsOversized(existing, room))
        {
            existing.SetTypeAndFlags(spec.Type, spec.Flags);
            MoveExpiry(existing, spec.ExpiryMs);

            return valueLength == existing.ValueLength ? existing : Log.SetValueLength(existing, valueLength);
        }

        return Replace(key, existing, spec, valueLength, capacity);
    }

    /// <summary>Whether a record met on a walk of its page is live, and where the index points to it.</summary>
    internal bool TryFindLive(in Record record, out ulong hash, out ulong* slot)
    {
        if (record.IsDead)
        {
            hash = 0;
            slot = null;
            return false;
        }

        hash = record.ComputeHash();
        slot = FindSlot(hash, record.Address);
        return slot != null;
    }

    /// <summary>Deletes the record of a key. The change is the caller's to tell.</summary>
    internal void Drop(in Key key, in Record existing) => Drop(key.Hash, SlotOf(key, existing), existing);

    /// <summary>Deletes the record the index entry in <paramref name="slot"/> points to. The change is the caller's to
    /// tell.</summary>
    internal void Drop(ulong hash, ulong* slot, in Record record)
    {
        Index.Remove(hash, slot);
        Databases.Remove(record.Database, record.ExpiryMs);
        if (record.IsLarge)
        {
            _ = Collections.Doom(record.Type, ShardCollections.RootOf(record));
        }

        Log.Forget(record);
    }

    /// <summary>Deletes a record whose time has come.</summary>
    internal void Expire(ulong hash, ulong* slot, in Record record)
    {
        Remove(record.KeyWith(hash), slot, record, new Change(KeyEvent.Expired, author: null));
        Statistics.ExpiredKeys++;
    }

    /// <summary>Forgets all records at once. The change is the caller's to tell.</summary>
    internal void Empty()
    {
        _maintenance.Reset();
        Index.Clear();
        Log.Clear();
        Collections.Clear();
        Databases.Clear();
    }

    /// <summary>A page is being taken out of use by others than compaction.</summary>
    internal void ForgetPosition(int page) => _maintenance.ForgetPosition(page);

    /// <summary>Deletes a record to make room.</summary>
    internal void Evict(ulong hash, ulong* slot, in Record record)
    {
        Remove(record.KeyWith(hash), slot, record, new Change(KeyEvent.Evicted, author: null));
        Statistics.EvictedKeys++;
    }

    /// <summary>The queue of a record that compaction moves. Where nothing is evicted, what lasts is kept apart from
    /// what is new: it will hardly become garbage.</summary>
    internal PageKind PlaceCompacted(PageKind kind, bool hasExpiry)
        => Policy == EvictionPolicy.NoEviction ? PageKind.Main : _evictor.PlaceAgain(kind, hasExpiry);

    /// <summary>Copies a live record to the young end of a queue.</summary>
    internal void Relocate(ulong* slot, in Record record, PageKind kind, int frequency)
    {
        var moved = Log.Append(kind, new RecordSpec(record), record.ValueLength, capacity: 0);
        record.Value.CopyTo(moved.MutableValue);
        Volatile.Write(ref *slot, IndexEntry.WithFrequency((*slot & IndexEntry.TagMask) | moved.Address, frequency));
        if (record.IsLarge)
        {
            Tier?.OnMoved(ShardCollections.RootOf(record), moved.Address);
        }

        Log.Forget(record);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private ulong* FindSlot(in Key key, out Record record)
    {
        var tag = IndexEntry.TagInPlace(key.Hash);
        for (var bucket = Index.Bucket(Index.BucketOf(key.Hash)); bucket != null; bucket = Index.Next(bucket))
        {
            for (var match = HashIndex.Match(bucket, tag); match != 0; match &= match - 1)
            {
                var slot = bucket + BitOperations.TrailingZeroCount(match);
                var address = IndexEntry.Address(Volatile.Read(ref *slot));
                if ((Log.TryOpen(address, out record) || (Tier != null && Tier.TryOpen(address, out record)))
                    && record.HasKey(key))
                {
                    return slot;
                }
            }
        }

        record = default;
        return null;
    }

    /// <summary>Opens a record the index points to if it is of <paramref name="database"/> and at hand. One that is on
    /// the device alone is asked for.</summary>
    internal bool TryOpenOf(byte database, ulong address, out Record record)
    {
        if (!Log.IsCold(address))
        {
            record = Log.Open(address);
            return record.Database == database;
        }

        record = default;
        return Log.Pages[Log.PageOf(address)].Database == database && Tier!.TryOpen(address, out record);
    }

    /// <summary>The slot whose entry points to <paramref name="address"/>, or null.</summary>
    internal ulong* FindSlot(ulong hash, ulong address)
    {
        var tag = IndexEntry.TagInPlace(hash);
        for (var bucket = Index.Bucket(Index.BucketOf(hash)); bucket != null; bucket = Index.Next(bucket))
        {
            for (var match = HashIndex.Match(bucket, tag); match != 0; match &= match - 1)
            {
                var slot = bucket + BitOperations.TrailingZeroCount(match);
                if (IndexEntry.Address(*slot) == address)
                {
                    return slot;
                }
            }
        }

        return null;
    }

    private void Remove(in Key key, ulong* slot, in Record record, in Change change)
    {
        Changes.Before(key, record);
        Drop(key.Hash, slot, record);
        Changes.Tell(key, default, change);
    }

    /// <summary>The slot whose entry points to a record that was just looked up.</summary>
    private ulong* SlotOf(in Key key, in Record record)
    {
        var slot = FindSlot(key.Hash, record.Address);
        Invariant.Check(slot != null, "a record that was looked up stands in the index");
        return slot;
    }

    /// <summary>Gives a record that expires, if it does, another time.</summary>
    private void MoveExpiry(in Record existing, long expiryMs)
    {
        if (existing.HasExpiry)
        {
            Databases.ChangeExpiry(existing.Database, existing.ExpiryMs, expiryMs);
            existing.SetExpiry(expiryMs);
            Log.NoteExpiry(existing, expiryMs);
        }
    }

    /// <summary>Writes a key's record anew; what hangs on the old one stays.</summary>
    internal Record Replace(in Key key, in Record existing, in RecordSpec spec, int valueLength, long capacity)
    {
        var slot = SlotOf(key, existing);
        var kind = _evictor.PlaceAgain(Log.KindOf(existing.Address), spec.ExpiryMs >= 0);
        var record = Log.Append(kind, spec, valueLength, capacity);
        Volatile.Write(ref *slot, IndexEntry.WithAddress(*slot, record.Address));
        Databases.ChangeExpiry(key.Database, existing.ExpiryMs, record.ExpiryMs);
        Log.Forget(existing);
        return record;
    }
}
