using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Strata.Storage.Log;
using Strata.Storage.Memory;
using Strata.Storage.Records;

namespace Strata.Storage.Tiering;

/// <summary>What a set of cold records was asked for, in that order, with the reads that bring it or have brought it;
/// found by what was asked for. Belongs to one worker.</summary>
/// <param name="worker">The worker; null where nothing is ever asked for.</param>
internal sealed unsafe class ColdReadList(TierWorker? worker)
{
    /// <summary>Managed memory of an empty list at most, bytes.</summary>
    public const int KeptBytes = KeptReads * 2 * sizeof(ulong);

    // Up to here what was asked for is found by going through it, then by hashing.
    private const int FewAsks = 16;

    // Places for so many reads are kept, for what comes next. More goes with what was asked for: sets are pooled, and
    // each would grow to the largest that was ever read with it.
    private const int KeptReads = 64;

    // How far what was asked for first has come. The rest is only asked for.
    private List<Progress> _begun = [];
    private MemoryCharge _begunCharge = new(worker?.Budget);
    private NativeBlock _asks;
    private MemoryCharge _asksCharge = new(worker?.Budget);
    // Where many are, by what they read: their places, and one more, in a table that is at most half full, out of which
    // what was added last goes first (linear probing: Knuth, volume 3, 6.4, algorithm L).
    private NativeBlock _slots;
    private MemoryCharge _slotsCharge = new(worker?.Budget);
    private int _slotBits;
    private int _capacity;

    /// <summary>Records asked for.</summary>
    public int Count { get; private set; }

    /// <summary>Whether it holds nothing: not even memory of what it was asked for before.</summary>
    public bool IsNew => _capacity == 0;

    /// <summary>What is known of an ask takes so many bytes, about.</summary>
    public static int BytesPerAsk => sizeof(ColdAsk) + (3 * sizeof(int));

    private Span<Progress> Begun => CollectionsMarshal.AsSpan(_begun);

    private Span<ColdAsk> Asks => new(_asks.Start, Count);

    private Span<int> Slots => new(_slots.Start, 2 * _capacity);

    private TierWorker Worker => worker!;

    private long ChargedBytes => _asksCharge.Bytes + _slotsCharge.Bytes + _begunCharge.Bytes;

    /// <summary>The read of what was asked for at <paramref name="index"/>; null where it is not read.</summary>
    public ColdRead? ReadAt(int index) => index >= 0 && index < _begun.Count ? _begun[index].Read : null;

    /// <summary>How it stands with what was asked for at <paramref name="index"/>.</summary>
    public ColdReadState StateAt(int index) => ReadAt(index)?.State ?? Asks[index].State;

    /// <summary>Why what was asked for at <paramref name="index"/> cannot be had, where it cannot, and the errno of a
    /// read that the device failed.</summary>
    public (ColdReadFailure Failure, int Errno) FailureAt(int index)
    {
        var failure = StateAt(index) switch
        {
            ColdReadState.TooLarge => ColdReadFailure.TooLarge,
            ColdReadState.NoRoom or ColdReadState.Spent => ColdReadFailure.NoRoom,
            ColdReadState.Failed => ColdReadFailure.Device,
            ColdReadState.Damaged => ColdReadFailure.Damaged,
            _ => ColdReadFailure.None,
        };
        return (failure, ReadAt(index)?.Error ?? 0);
    }

    /// <summary>What all that was asked for from one on may hold when it is read, bytes.</summary>
    public long MostBytesFrom(int first)
    {
        var bytes = 0L;
        foreach (ref readonly var ask in Asks[first..])
        {
            bytes += ask.MostBytes;
        }

        return bytes;
    }

    /// <summary>Adds what was asked for.</summary>
    /// <exception cref="OutOfMemoryException">There is no memory for it; nothing was added.</exception>
    public void Add(in ColdAsk ask)
    {
        Reserve(Count + 1);
        Count++;
        Asks[^1] = ask;
        Worker.ColdAsks++;
        if (Count > FewAsks)
        {
            Slot(ask, 0) = Count;
        }
        else if (Count == FewAsks)
        {
            Reindex();
        }
    }

    /// <summary>Forgets all that was asked for after the first <paramref name="count"/>: nothing of it is read.
    /// </summary>
    public void Truncate(int count)
    {
        if (_begun.Count > count)
        {
            Invariant.Check(!Begun[count..].ContainsAnyExcept(default(Progress)), "what is forgotten is not read");
            CollectionsMarshal.SetCount(_begun, count);
        }

        Worker.ColdAsks -= Math.Max(0, Count - count);
        while (Count > count)
        {
            if (Count >= FewAsks)
            {
                Slot(Asks[^1], Count) = 0;
            }

            Count--;
        }
    }

    /// <summary>Gives back the reads that were used, and forgets what they brought, which goes back to where it was if
    /// it is to (<see cref="ColdRead.CopyToTail"/>).</summary>
    /// <returns>How many they were, and the bytes that they held.</returns>
    public (int Count, long Bytes) RemoveUsed(long nowMs)
    {
        var bytes = 0L;
        foreach (ref readonly var begun in Begun)
        {
            if (begun.Read is { Use: not 0 } read)
            {
                bytes += read.HeldBytes;
                read.CopyToTail(nowMs);
            }
        }

        return (Remove(Count, static (read, _) => read is { Use: not 0 }), bytes);
    }

    /// <summary>Forgets what is yet to be read of the first that was asked for.</summary>
    /// <returns>How many.</returns>
    public int RemoveAsked(int end)
        => Remove(end, static (read, ask) => read == null && ask.State == ColdReadState.Asked);

    /// <summary>Pins some of what was asked for.</summary>
    /// <returns>What they may need, what they need for certain, and what of that is not charged yet, bytes.</returns>
    public (long Most, long Least, long New) Pin(int from, int to)
    {
        var (most, least) = (0L, 0L);
        var pinned = 0;
        BeginAll();
        for (var i = from; i < to; i++)
        {
            ref var ask = ref Asks[i];
            if (StateAt(i) == ColdReadState.Asked && TryPin(ref ask, ref Begun[i]))
            {
                most += ask.MostBytes;
                least += ask.LeastBytes;
                pinned++;
            }
        }

        var kept = Math.Min(pinned, Worker.ReadPool.Kept.Count);
        return (most, least, least - ((long)kept * ColdRead.ManagedBytes));
    }

    /// <summary>The end of what is read at a time: at least one record.</summary>
    /// <param name="first">The first that is to be read.</param>
    /// <param name="bytes">What they may hold together.</param>
    public int EndOfPart(int first, long bytes)
    {
        var asks = Asks;
        bytes -= asks[first].MostBytes;
        var end = first + 1;
        while (end < asks.Length && bytes >= asks[end].MostBytes)
        {
            bytes -= asks[end++].MostBytes;
        }

        return end;
    }

    /// <summary>Begins the read of what is pinned.</summary>
    /// <param name="set">Whose it is.</param>
    /// <param name="index">Which.</param>
    /// <returns>False when the system gives no memory for the read: it is refused.</returns>
    public bool TryStart(ColdReadSet set, int index)
    {
        ref var ask = ref Asks[index];
        ref var begun = ref Begun[index];
        var segment = begun.Pinned!;
        ColdRead read;
        try
        {
            var isMade = Worker.ReadPool.Kept.Count == 0;
            read = Worker.ReadPool.Rent();
            set.OnCharged((isMade ? ColdRead.ManagedBytes : 0) + read.KeptBytes);
        }
        catch (OutOfMemoryException)
        {
            Unpin(ref ask, ref begun, ColdReadState.NoRoom);
            return false;
        }

        ask.State = ColdReadState.Reading;
        begun = new Progress(read, Pinned: null);
        read.Start(set, ask, Worker.Tier.Shard(ask.Shard).Segments, segment);
        return true;
    }

    /// <summary>What was read of the first that was asked for is given up, and to be read again.</summary>
    public void AskAgain(int end)
    {
        for (var i = 0; i < Math.Min(end, _begun.Count); i++)
        {
            if (_begun[i].Read is { State: ColdReadState.Read } read)
            {
                read.Return();
                Begun[i] = default;
                Asks[i].State = ColdReadState.Asked;
            }
        }
    }

    /// <summary>Those that were opened in a use are still to be used.</summary>
    public void Unuse(long use)
    {
        foreach (ref readonly var begun in Begun)
        {
            if (begun.Read?.Use == use)
            {
                begun.Read.Use = 0;
            }
        }
    }

    /// <inheritdoc cref="ColdRead.CopyToTail"/>
    public void CopyToTail(long nowMs)
    {
        foreach (ref readonly var begun in Begun)
        {
            begun.Read?.CopyToTail(nowMs);
        }
    }

    /// <summary>What is pinned is not read.</summary>
    /// <param name="state">What becomes of it: <see cref="ColdReadState.Asked"/>, to be asked for again, or why it is
    /// refused.</param>
    public void Unpin(ColdReadState state)
    {
        for (var i = 0; i < _begun.Count; i++)
        {
            if (_begun[i].Pinned != null)
            {
                Unpin(ref Asks[i], ref Begun[i], state);
            }
        }
    }

    /// <summary>Gives all reads back, and forgets all that was asked for.</summary>
    public void Clear()
    {
        if (IsNew)
        {
            return;
        }

        foreach (ref readonly var begun in Begun)
        {
            begun.Read?.Return();
        }

        Worker.ColdAsks -= Count;
        Count = 0;
        _begun.Clear();
        Worker.ColdAskBytes -= ChargedBytes;
        if (_begun.Capacity > KeptReads)
        {
            _begun = [];
            _begunCharge.LeaveToCollector(_begunCharge.Bytes);
        }

        Worker.Budget.Buffers.Free(ref _asks, ref _asksCharge);
        Worker.Budget.Buffers.Free(ref _slots, ref _slotsCharge);
        _capacity = 0;
    }

    /// <summary>Where a record at an address was asked for, as it is now; -1 when it was not.</summary>
    public int Find(RecordStore store, ulong address, bool takesValue)
        => Find(store.Number, address, store.Log.Device!.GenerationOf(store.Log.PageOf(address)), takesValue);

    /// <summary>A record that was read, and that a key of a database still has.</summary>
    public bool TryFindLive(byte database, long nowMs, out Record record)
    {
        foreach (ref readonly var begun in Begun)
        {
            var read = begun.Read;
            record = read?.Record ?? default;
            if (read is { State: ColdReadState.Read } && record.Database == database && !record.IsExpired(nowMs)
                && Worker.Tier.Shard(read.Shard).IsCurrent(record, read.Generation))
            {
                return true;
            }
        }

        record = default;
        return false;
    }

    /// <summary>Keeps the record's place on the device what it is, before the worker that it was asked for on says that
    /// it reads no more.</summary>
    /// <returns>False when the record's segment was given up meanwhile: there is nothing to wait for.</returns>
    private bool TryPin(ref ColdAsk ask, ref Progress begun)
    {
        var segment = Worker.Tier.Shard(ask.Shard).Segments.Of(ask.Position);
        segment?.Retain();
        begun = new Progress(Read: null, segment);
        ask.State = segment == null ? ColdReadState.Gone : ColdReadState.Pinned;
        return segment != null;
    }

    private static void Unpin(ref ColdAsk ask, ref Progress begun, ColdReadState state)
    {
        begun.Pinned!.Release();
        begun = default;
        ask.State = state;
    }

    /// <summary>Makes places for how far all has come.</summary>
    private void BeginAll()
    {
        var count = _begun.Count;
        if (count < Count)
        {
            var before = ChargedBytes;
            var capacity = _begun.EnsureCapacity(Count);
            _begunCharge.Set(capacity > KeptReads ? (long)capacity * Unsafe.SizeOf<Progress>() : 0);
            Worker.ColdAskBytes += ChargedBytes - before;
            CollectionsMarshal.SetCount(_begun, Count);
            Begun[count..].Clear();
        }
    }

    private int Find(int shard, ulong address, long generation, bool takesValue)
    {
        var asks = Asks;
        if (Count < FewAsks)
        {
            for (var i = 0; i < asks.Length; i++)
            {
                if (asks[i].Address == address && IsUsable(i, shard, generation, takesValue))
                {
                    return i;
                }
            }

            return -1;
        }

        var slots = Slots;
        for (var at = FirstSlot(shard, address); slots[at] != 0; at = (at + 1) & (slots.Length - 1))
        {
            var i = slots[at] - 1;
            if (asks[i].Address == address && IsUsable(i, shard, generation, takesValue))
            {
                return i;
            }
        }

        return -1;
    }

    private bool IsUsable(int index, int shard, long generation, bool takesValue)
    {
        ref readonly var ask = ref Asks[index];
        return ask.Shard == shard && ask.Image.Generation == generation && StateAt(index) != ColdReadState.Gone
            && !(takesValue && (ReadAt(index)?.IsHeadOnly ?? ask.IsHeadOnly));
    }

    private int Remove(int end, Func<ColdRead?, ColdAsk, bool> isNeedless)
    {
        var asks = Asks;
        var (kept, keptBegun) = (0, 0);
        for (var i = 0; i < asks.Length; i++)
        {
            var read = ReadAt(i);
            if (i < end && isNeedless(read, asks[i]))
            {
                read?.Return();
                continue;
            }

            if (i < _begun.Count)
            {
                Begun[keptBegun++] = Begun[i];
            }

            asks[kept++] = asks[i];
        }

        var removed = Count - kept;
        if (removed > 0)
        {
            _begun.RemoveRange(keptBegun, _begun.Count - keptBegun);
            Worker.ColdAsks -= removed;
            Count = kept;
            Reindex();
        }

        return removed;
    }

    /// <summary>Makes room for so many, and for the table of their places.</summary>
    private void Reserve(int count)
    {
        if (count <= _capacity)
        {
            return;
        }

        var capacity = (int)BitOperations.RoundUpToPowerOf2((uint)count);
        var buffers = Worker.Budget.Buffers;
        var before = ChargedBytes;
        try
        {
            buffers.Resize(ref _asks, ref _asksCharge, (long)capacity * sizeof(ColdAsk));
            if (capacity >= FewAsks)
            {
                buffers.Resize(ref _slots, ref _slotsCharge, 2L * capacity * sizeof(int));
                _slotBits = BitOperations.Log2((uint)capacity) + 1;
            }

            _capacity = capacity;
            Reindex();
        }
        finally
        {
            Worker.ColdAskBytes += ChargedBytes - before;
        }
    }

    private void Reindex()
    {
        if (Count < FewAsks)
        {
            return;
        }

        var asks = Asks;
        Slots.Clear();
        for (var i = 0; i < asks.Length; i++)
        {
            Slot(asks[i], 0) = i + 1;
        }
    }

    // The slot of what was asked for that has what is asked of it: nothing, or its place.
    private ref int Slot(in ColdAsk ask, int content)
    {
        var slots = Slots;
        var at = FirstSlot(ask.Shard, ask.Address);
        while (slots[at] != content)
        {
            at = (at + 1) & (slots.Length - 1);
        }

        return ref slots[at];
    }

    private int FirstSlot(int shard, ulong address)
        => (int)(((address + (uint)shard) * 0x9E3779B97F4A7C15) >> (64 - _slotBits));

    /// <summary>How far one has come.</summary>
    /// <param name="Read">The read that brings it, or has brought it.</param>
    /// <param name="Pinned">Before that, the segment it lies in, which is retained for it.</param>
    private readonly record struct Progress(ColdRead? Read, LogSegment? Pinned);
}
