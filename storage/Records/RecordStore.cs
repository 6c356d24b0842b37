using System.Numerics;
using System.Runtime.CompilerServices;
using Strata.Storage.Changes;
using Strata.Storage.Index;
using Strata.Storage.Leases;
using Strata.Storage.Log;
using Strata.Storage.Memory;
using Strata.Storage.Runtime;

namespace Strata.Storage.Records;

/// <summary>
/// Keys and their records: index, record log, counters. Plain single-threaded code, changed only by the worker that
/// holds <see cref="Lease"/>; only <see cref="Find"/>, <see cref="Touch"/> and the counters may be used without it, and
/// what Find gives then counts only if the lease's version did not change meanwhile.
/// A <see cref="Record"/> stays readable until the command that got it ends, and is current until the next change of
/// its key.
/// What values mean, and what hangs on them, is known to those who derive from it: a shard, storey by storey.
/// </summary>
public abstract unsafe class RecordStore : IDisposable
{
    /// <summary>An empty store.</summary>
    /// <param name="number">The shard's number.</param>
    /// <param name="settings">What is the same for all shards.</param>
    /// <param name="memory">What it has its part of.</param>
    /// <param name="budget">What its memory is charged to.</param>
    /// <param name="quiescence">When memory may be used again.</param>
    /// <param name="segmentBits">Bytes of a segment of the device that takes what does not fit into memory, as a power
    /// of two; null where there is no device.</param>
    private protected RecordStore(
        int number,
        in ShardSettings settings,
        ShardMemory memory,
        MemoryBudget budget,
        Quiescence quiescence,
        int? segmentBits)
    {
        Number = number;
        Budget = budget;
        var platform = settings.Platform ?? Platform.Machine;
        Clock = platform.Clock;
        Random = platform.CreateRandom();
        var nowMs = Clock.GetUtcNow().ToUnixTimeMilliseconds();
        Databases = new DatabaseCounters(nowMs);
        Lease = new ShardLease(settings.IsShared, number);
        Index = new HashIndex(budget, memory.Index.Of(number));
        var segments = segmentBits is { } bits ? new LogSegments(number, settings.Shards, bits, quiescence) : null;
        Log = new RecordLog(budget, quiescence, memory.Log.Of(number), segments);
        Log.Accesses.SetTime(nowMs);
        Placement = new RecordPlacement(Log, budget);
    }

    public int Number { get; }

    public ShardLease Lease { get; }

    public HashIndex Index { get; }

    public RecordLog Log { get; }

    /// <summary>Whether some records are on the device alone. Any thread.</summary>
    public bool HasCold => Log.HasCold;

    public DatabaseCounters Databases { get; }

    public ShardStatistics Statistics { get; } = new();

    /// <summary>Where every change of a key is told.</summary>
    public ShardChanges Changes { get; } = new();

    /// <summary>How records are chosen when memory runs out; also decides where they are put, and whether reads mark
    /// entries. Any thread; followed between commands.</summary>
    public EvictionPolicy Policy
    {
        get => Placement.Wanted;
        set => Placement.Wanted = value;
    }

    /// <summary>How it is counted how often keys are accessed; null where it is noted when. Any thread.</summary>
    public FrequencySettings? Frequencies
    {
        get => Log.Accesses.Frequencies?.Settings;
        set => Log.Accesses.Frequencies = value == null ? null : new AccessFrequency(value, Number);
    }

    /// <summary>Memory of what eviction remembers of evicted keys.</summary>
    public long GhostBytes => Placement.Ghosts.SizeBytes;

    /// <summary>What the store's memory is charged to.</summary>
    internal MemoryBudget Budget { get; }

    /// <summary>Tells what background work takes.</summary>
    internal TimeProvider Clock { get; }

    /// <summary>Whether keys whose time has come stay.</summary>
    public ExpiryHold ExpiryHold { get; } = new();

    /// <summary>Chooses what is evicted and which keys are drawn.</summary>
    internal Random Random { get; }

    /// <summary>Where in the log records are put.</summary>
    internal RecordPlacement Placement { get; }

    /// <summary>Looks a key up without side effects. Safe without the lease.</summary>
    /// <param name="key">The key.</param>
    /// <param name="nowMs">The time, milliseconds since 1970.</param>
    /// <param name="cold">What is at hand of the records on the device, and is asked for others; null where nobody can
    /// wait for them.</param>
    /// <param name="record">The key's record.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public FindResult Find(in Key key, long nowMs, IColdRecords? cold, out Record record)
    {
        var missing = FindResult.Missing;
        if (FindSlot(key, cold, ref missing, out record) == null)
        {
            return missing;
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

    /// <summary>Marks a key as accessed, with the time and for the eviction policy. Without the lease only if its
    /// version did not change since before the look-up: then the record is one, and its memory is not reused before the
    /// reader's next turn.</summary>
    public void Touch(in Key key, in Record record)
    {
        record.SetAccessed(Log.Accesses.Again(record.Accessed));
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
    /// <inheritdoc cref="Find" path="/param"/>
    public bool TryGet(in Key key, long nowMs, IColdRecords? cold, out Record record)
    {
        switch (Find(key, nowMs, cold, out record))
        {
            case FindResult.Found:
                return true;
            case FindResult.Expired:
                Expire(key, record);
                record = default;
                return false;
            default:
                return false;
        }
    }

    /// <summary>Deletes a key that a look-up found, and whose time has come. The lease must be held.</summary>
    public void Expire(in Key key, in Record record) => Expire(key.Hash, SlotOf(key, record), record);

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
        record.Fill(value, record.Address == existing.Address ? null : spec.MovedFrom); // Others may read that one.
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
            var spec = new RecordSpec(key, existing.Type, expiryMs, existing.Flags)
            {
                MovedFrom = ValueRoom.MovedFrom(this, existing, existing.ValueLength),
            };
            record = Replace(key, existing, spec, existing.ValueLength, capacity: 0);
            record.Fill(existing.Value, spec.MovedFrom);
        }

        Changes.Tell(key, record, change);
        return record;
    }

    /// <summary>Deletes a key.</summary>
    public void Remove(in Key key, in Record existing, in Change change)
        => Remove(key, SlotOf(key, existing), existing, change);

    /// <summary>Looks a key up under the lease and deletes it.</summary>
    /// <returns>Whether it was there and its time had not come.</returns>
    public bool TryRemove(in Key key, long nowMs, IColdRecords? cold, in Change change)
    {
        var missing = FindResult.Missing;
        var slot = FindSlot(key, cold, ref missing, out var record);
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

    /// <inheritdoc/>
    public void Dispose()
    {
        FreeMemory();
        Placement.Dispose();
        Log.Dispose();
        Index.Dispose();
        Lease.Dispose();
        GC.SuppressFinalize(this);
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
            var kind = Placement.PlaceNew(key.Hash, spec.ExpiryMs >= 0, valueLength);
            var added = Log.Append(kind, spec, valueLength, capacity);
            Index.Insert(key.Hash, added.Address, Placement.FirstFrequency(valueLength));
            Databases.Add(key.Database, added.ExpiryMs);
            return added;
        }

        if (existing.Type != RecordType.String || spec.Type != RecordType.String)
        {
            // The two kinds count their bytes differently: one does not become the other in place.
            var replaced = Replace(key, existing, spec, valueLength, capacity);
            if (existing.IsLarge)
            {
                GiveUp(existing);
            }

            return replaced;
        }

        if (capacity <= existing.ValueCapacity && FitsInPlace(existing, spec, valueLength))
        {
            existing.SetTypeAndFlags(spec.Type, spec.Flags);
            MoveExpiry(existing, spec.ExpiryMs);
            return valueLength == existing.ValueLength ? existing : Log.SetValueLength(existing, valueLength);
        }

        return Replace(key, existing, spec, valueLength, capacity);
    }

    /// <summary>Whether a string takes the place of another one where that is.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal bool FitsInPlace(in Record existing, in RecordSpec spec, long valueLength)
        => existing.HasExpiry == (spec.ExpiryMs >= 0) && existing.CanHold(valueLength) && Log.IsMutable(existing)
            && !Log.IsOversized(existing, valueLength);

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
            GiveUp(record);
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
    internal virtual void Empty()
    {
        Placement.Ghosts.Clear();
        Index.Clear();
        Log.Clear();
        Databases.Clear();
    }

    /// <summary>Deletes a record to make room.</summary>
    internal void Evict(ulong hash, ulong* slot, in Record record)
    {
        Remove(record.KeyWith(hash), slot, record, new Change(KeyEvent.Evicted, author: null));
        Statistics.EvictedKeys++;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private ulong* FindSlot(in Key key, IColdRecords? cold, ref FindResult missing, out Record record)
    {
        var tag = IndexEntry.TagInPlace(key.Hash);
        for (var bucket = Index.Bucket(Index.BucketOf(key.Hash)); bucket != null; bucket = Index.Next(bucket))
        {
            for (var match = HashIndex.Match(bucket, tag); match != 0; match &= match - 1)
            {
                var slot = bucket + BitOperations.TrailingZeroCount(match);
                var address = IndexEntry.Address(Volatile.Read(ref *slot));
                if ((Log.TryOpen(address, out record)
                        || (Log.Device != null && TryOpenCold(address, cold, ref missing, out record)))
                    && record.HasKey(key))
                {
                    return slot;
                }
            }
        }

        record = default;
        return null;
    }

    /// <summary>Opens a record the index points to if it is of a database.</summary>
    /// <param name="database">The database's physical number.</param>
    /// <param name="address">Where the record is.</param>
    /// <param name="cold"><inheritdoc cref="Find" path="/param[@name='cold']/node()"/></param>
    /// <param name="record">The record.</param>
    /// <returns>Whether it is of the database: Found, Missing, or Cold.</returns>
    internal FindResult Open(byte database, ulong address, IColdRecords? cold, out Record record)
    {
        if (!Log.IsCold(address))
        {
            record = Log.Open(address);
            return record.Database == database ? FindResult.Found : FindResult.Missing;
        }

        record = default;
        if (Log.Pages[Log.PageOf(address)].Database != database)
        {
            return FindResult.Missing;
        }

        return cold != null && cold.TryOpen(this, address, out record) ? FindResult.Found : FindResult.Cold;
    }

    /// <summary>Gives back what there is beside the records: the store is being disposed of.</summary>
    private protected abstract void FreeMemory();

    /// <summary>A large collection is no longer pointed to.</summary>
    /// <param name="large">The record that was its key's.</param>
    private protected abstract void GiveUp(in Record large);

    /// <summary>The record of a large collection was moved within the log.</summary>
    /// <param name="large">The record it was.</param>
    /// <param name="address">Where it is now.</param>
    internal abstract void OnMoved(in Record large, ulong address);

    [MethodImpl(MethodImplOptions.NoInlining)]
    private bool TryOpenCold(ulong address, IColdRecords? cold, ref FindResult missing, out Record record)
    {
        // An empty slot of the index looks like an entry for address 0 to keys whose tag is zero.
        var page = Log.PageOf(address);
        if (page == 0 || page >= Log.PageTop)
        {
            record = default;
            return false;
        }

        if (cold != null && cold.TryOpen(this, address, out record))
        {
            return true;
        }

        record = default;
        missing = FindResult.Cold;
        return false;
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
        var kind = Placement.PlaceAgain(Log.KindOf(existing.Address), spec.ExpiryMs >= 0);
        var record = Log.Append(kind, spec, valueLength, capacity);
        Volatile.Write(ref *slot, IndexEntry.WithAddress(*slot, record.Address));
        Databases.ChangeExpiry(key.Database, existing.ExpiryMs, record.ExpiryMs);
        record.SetAccessed(Log.Accesses.Anew(existing.Accessed));
        Log.Forget(existing);
        return record;
    }
}
