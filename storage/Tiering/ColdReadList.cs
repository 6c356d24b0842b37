using System.Runtime.InteropServices;
using Strata.Storage.Log;

namespace Strata.Storage.Tiering;

/// <summary>The reads of a set in the order in which they were asked for, found by what they read.</summary>
internal sealed class ColdReadList
{
    // Up to here reads are found by going through their addresses, then by hashing.
    private const int FewReads = 128;

    private readonly List<ColdRead> _reads = [];
    private readonly List<ulong> _addresses = [];
    private readonly Dictionary<(int Shard, ulong Address), int> _index = [];

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
        if (_reads.Count == FewReads)
        {
            Reindex();
        }
        else if (_reads.Count > FewReads)
        {
            _index[(read.Shard, read.Address)] = _reads.Count - 1;
        }
    }

    /// <summary>Gives back the reads after the first <paramref name="count"/>.</summary>
    public void Truncate(int count)
    {
        while (_reads.Count > count)
        {
            var read = _reads[^1];
            _reads.RemoveAt(_reads.Count - 1);
            _addresses.RemoveAt(_addresses.Count - 1);
            _ = _index.Remove((read.Shard, read.Address));
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

        _reads.Clear();
        _addresses.Clear();
        _index.Clear();
    }

    /// <summary>The read of a record, of which its page's generation must be right, or null.</summary>
    public ColdRead? Find(int shard, ulong address, long generation, bool takesValue)
    {
        if (_reads.Count >= FewReads)
        {
            return _index.TryGetValue((shard, address), out var index)
                && IsUsable(_reads[index], generation, takesValue)
                ? _reads[index]
                : null;
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

    private void Reindex()
    {
        _index.Clear();
        for (var i = 0; _reads.Count >= FewReads && i < _reads.Count; i++)
        {
            _index[(_reads[i].Shard, _reads[i].Address)] = i;
        }
    }

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
