using System.Numerics;
using System.Runtime.InteropServices;
using Strata.Storage.Log;
using Strata.Storage.Records;

namespace Strata.Storage.Tiering;

/// <summary>The reads of a set in the order in which they were asked for, found by what they read.</summary>
internal sealed class ColdReadList
{
    /// <summary>What an empty list holds at most, bytes.</summary>
    public const int KeptBytes = 2 * KeptReads * sizeof(ulong);

    // Up to here reads are found by going through their addresses, then by hashing.
    private const int FewReads = 128;

    // Room for so many is kept, for what comes next. More is charged as part of the reads, and goes with them: sets are
    // pooled, and each would grow to the largest that was ever read with it.
    private const int KeptReads = 64;

    private List<ColdRead> _reads = [];
    private List<ulong> _addresses = [];
    // Where many are, by what they read: their places, and one more, in a table that is at most half full, out of which
    // what was added last goes first (linear probing: Knuth, volume 3, 6.4, algorithm L).
    private int[] _slots = [];

    public int Count => _reads.Count;

    public ColdRead this[int index] => _reads[index];

    /// <summary>The reads; only until one is added or removed.</summary>
    public ReadOnlySpan<ColdRead> All => CollectionsMarshal.AsSpan(_reads);

    /// <summary>What those from one on may hold when they are read, bytes.</summary>
    public long MostBytesFrom(int first)
    {
        var bytes = 0L;
        foreach (var read in All[first..])
        {
            bytes += read.MostBytes;
        }

        return bytes;
    }

    /// <summary>Adds a read, which knows what it reads.</summary>
    public void Add(ColdRead read)
    {
        _reads.Add(read);
        _addresses.Add(read.Address);
        if (_reads.Count >= FewReads)
        {
            AddToIndex();
        }
    }

    /// <summary>Gives back the reads after the first <paramref name="count"/>.</summary>
    public void Truncate(int count)
    {
        while (_reads.Count > count)
        {
            var read = _reads[^1];
            if (_reads.Count >= FewReads)
            {
                Slot(read, _reads.Count) = 0;
            }

            _reads.RemoveAt(_reads.Count - 1);
            _addresses.RemoveAt(_addresses.Count - 1);
            read.Return();
        }
    }

    /// <summary>Gives back the reads that were used.</summary>
    public void RemoveUsed() => Remove(_reads.Count, static read => read.Use != 0);

    /// <summary>Gives back those of the first reads that are yet to be read.</summary>
    /// <returns>How many.</returns>
    public int RemoveAsked(int end) => Remove(end, static read => read.State == ColdReadState.Asked);

    /// <summary>Pins those of some reads that were asked for.</summary>
    /// <returns>What they may need, what they need for certain, and what of that is not charged yet, bytes.</returns>
    public (long Most, long Least, long New) Pin(int from, int to)
    {
        var (most, least, more) = (0L, 0L, 0L);
        foreach (var read in All[from..to])
        {
            if (read.State == ColdReadState.Asked && read.TryPin())
            {
                most += read.MostBytes;
                least += read.LeastBytes;
                more += read.LeastBytes - ColdRead.ManagedBytes - read.KeptBytes;
            }
        }

        return (most, least, more);
    }

    /// <summary>The end of what is read at a time: at least one record.</summary>
    /// <param name="first">The first that is to be read.</param>
    /// <param name="bytes">What they may hold together.</param>
    public int EndOfPart(int first, long bytes)
    {
        bytes -= _reads[first].MostBytes;
        var end = first + 1;
        while (end < _reads.Count && bytes >= _reads[end].MostBytes)
        {
            bytes -= _reads[end++].MostBytes;
        }

        return end;
    }

    /// <summary>Of the first reads, those that have their record give it up.</summary>
    public void AskAgain(int end)
    {
        foreach (var read in All[..end])
        {
            if (read.State == ColdReadState.Read)
            {
                read.AskAgain();
            }
        }
    }

    /// <summary>Those that were opened in a use are still to be used.</summary>
    public void Unuse(long use)
    {
        foreach (var read in All)
        {
            read.Use = read.Use == use ? 0 : read.Use;
        }
    }

    /// <inheritdoc cref="ColdRead.CopyToTail"/>
    public void CopyToTail(long nowMs)
    {
        foreach (var read in All)
        {
            read.CopyToTail(nowMs);
        }
    }

    /// <inheritdoc cref="ColdRead.Unpin"/>
    public void Unpin(ColdReadState state)
    {
        foreach (var read in All)
        {
            if (read.State == ColdReadState.Pinned)
            {
                read.Unpin(state);
            }
        }
    }

    /// <summary>Gives all reads back.</summary>
    public void Clear()
    {
        foreach (var read in _reads)
        {
            read.Return();
        }

        if (_reads.Capacity > KeptReads)
        {
            (_reads, _addresses, _slots) = ([], [], []);
        }
        else
        {
            _reads.Clear();
            _addresses.Clear();
        }
    }

    /// <summary>The read of a record at an address, as it is now, or null.</summary>
    public ColdRead? Find(RecordStore store, ulong address, bool takesValue)
        => Find(store.Number, address, store.Log.Device!.GenerationOf(store.Log.PageOf(address)), takesValue);

    /// <summary>The read of a record, of which its page's generation must be right, or null.</summary>
    public ColdRead? Find(int shard, ulong address, long generation, bool takesValue)
    {
        if (_reads.Count >= FewReads)
        {
            return FindByIndex(shard, address, generation, takesValue);
        }

        var addresses = CollectionsMarshal.AsSpan(_addresses);
        for (var from = 0; ; from++)
        {
            var next = addresses[from..].IndexOf(address);
            if (next < 0)
            {
                return null;
            }

            from += next;
            var read = _reads[from];
            if (read.Shard == shard && IsUsable(read, generation, takesValue))
            {
                return read;
            }
        }
    }

    private static bool IsUsable(ColdRead read, long generation, bool takesValue)
        => read.Generation == generation && read.State != ColdReadState.Gone && !(takesValue && read.IsHeadOnly);

    private int Remove(int end, Predicate<ColdRead> isNeedless)
    {
        var kept = 0;
        for (var i = 0; i < _reads.Count; i++)
        {
            var read = _reads[i];
            if (i >= end || !isNeedless(read))
            {
                _reads[kept] = read;
                _addresses[kept++] = read.Address;
            }
            else
            {
                read.Return();
            }
        }

        var removed = _reads.Count - kept;
        if (removed > 0)
        {
            _reads.RemoveRange(kept, removed);
            _addresses.RemoveRange(kept, removed);
            Reindex();
        }

        return removed;
    }

    private ColdRead? FindByIndex(int shard, ulong address, long generation, bool takesValue)
    {
        for (var at = FirstSlot(shard, address); _slots[at] != 0; at = (at + 1) & (_slots.Length - 1))
        {
            var read = _reads[_slots[at] - 1];
            if (read.Address == address && read.Shard == shard && IsUsable(read, generation, takesValue))
            {
                return read;
            }
        }

        return null;
    }

    private void AddToIndex()
    {
        if (_reads.Count == FewReads || 2 * _reads.Count > _slots.Length)
        {
            Reindex();
        }
        else
        {
            Slot(_reads[^1], 0) = _reads.Count;
        }
    }

    private void Reindex()
    {
        if (_reads.Count < FewReads)
        {
            return;
        }

        if (2 * _reads.Count > _slots.Length)
        {
            _slots = new int[(int)BitOperations.RoundUpToPowerOf2(2 * (uint)_reads.Count)];
        }
        else
        {
            Array.Clear(_slots);
        }

        for (var i = 0; i < _reads.Count; i++)
        {
            Slot(_reads[i], 0) = i + 1;
        }
    }

    // The slot of a read that has what is asked for: nothing, or the read's own place.
    private ref int Slot(ColdRead read, int content)
    {
        var at = FirstSlot(read.Shard, read.Address);
        while (_slots[at] != content)
        {
            at = (at + 1) & (_slots.Length - 1);
        }

        return ref _slots[at];
    }

    private int FirstSlot(int shard, ulong address)
        => (int)(((address + (uint)shard) * 0x9E3779B97F4A7C15) >> (64 - BitOperations.Log2((uint)_slots.Length)));

    /// <summary>A record that was read, and that a key of a database still has.</summary>
    public bool TryFindLive(Tier tier, byte database, long nowMs, out Record record)
    {
        foreach (var read in All)
        {
            record = read.Record;
            if (read.State == ColdReadState.Read && record.Database == database && !record.IsExpired(nowMs)
                && tier.Shard(read.Shard).IsCurrent(record, read.Generation))
            {
                return true;
            }
        }

        record = default;
        return false;
    }
}
