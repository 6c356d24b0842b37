using System.Diagnostics;
using Strata.Storage.Log;
using Strata.Storage.Memory;

namespace Strata.Storage.Sharding;

/// <summary>
/// Keeps a shard within its bounds: reclaims retired memory, compacts in step with what is written, evicts when memory
/// runs out, and in the background cycle expires keys and shrinks the index. Runs between commands under the lease.
/// </summary>
internal sealed class Maintenance
{
    // Compaction work per appended byte. At the threshold below a victim page is about three quarters live, so freeing
    // one byte takes walking four.
    private const int CompactedBytesPerAppended = 4;

    // Garbage allowed before compaction starts: a seventh of the live bytes (and a few pages, for small shards).
    private const int GarbageShare = 7;
    private const int GarbagePages = 4;

    private readonly Shard _shard;
    private readonly MemoryBudget _budget;
    private readonly int _shards;
    private readonly Compactor _compactor;
    private readonly Evictor _evictor;
    private readonly ExpiryCycle _expiry;
    private long _settledBytes;

    public Maintenance(Shard shard, MemoryBudget budget, int shards)
    {
        _shard = shard;
        _budget = budget;
        _shards = shards;
        _compactor = new Compactor(shard);
        _evictor = new Evictor(shard);
        _expiry = new ExpiryCycle(shard);
    }

    public EvictionPolicy Policy
    {
        get => _evictor.Policy;
        set => _evictor.Policy = value;
    }

    public bool IsExpiryActive { get; set; } = true;

    /// <summary>Whether something was appended or retired since the last call of <see cref="Settle"/>.</summary>
    public bool IsDue => _shard.Log.AppendedBytes != _settledBytes || _shard.Log.HasRetired;

    private bool HasGarbage => _shard.Log.GarbageBytes
        > Math.Max(_shard.Log.LiveBytes / GarbageShare, (long)GarbagePages * _shard.Log.PageBytes);

    /// <summary>Pays for what the last commands appended.</summary>
    public void Settle(int worker, long nowMs)
    {
        var log = _shard.Log;
        var appended = log.AppendedBytes - _settledBytes;
        log.Reclaim(worker);
        if (HasGarbage)
        {
            _compactor.Step(appended * CompactedBytesPerAppended, nowMs);
        }

        if (_budget.IsOver && HoldsItsShare)
        {
            _ = TryMakeRoom(worker, nowMs);
        }

        _settledBytes = log.AppendedBytes; // What maintenance itself appended is not charged to the next command.
    }

    /// <summary>Evicts, and compacts what eviction leaves, until the budget holds.</summary>
    /// <returns>Whether it holds.</returns>
    public bool TryMakeRoom(int worker, long nowMs)
    {
        var started = Stopwatch.GetTimestamp();
        var holds = TryEvict(worker, nowMs);
        _shard.Statistics.CountEviction(Stopwatch.GetTimestamp() - started);
        return holds;
    }

    private bool TryEvict(int worker, long nowMs)
    {
        var log = _shard.Log;
        while (_budget.IsOver)
        {
            var memory = log.PageMemoryBytes;
            if (log.GarbageBytes > log.PageBytes && log.GarbageBytes > log.LiveBytes / GarbageShare)
            {
                _compactor.Step(long.MaxValue, nowMs);
            }
            else if (!_evictor.TryEvictPage(_compactor, nowMs))
            {
                return false;
            }

            log.Reclaim(worker);
            log.Trim();
            if (log.HasRetired && log.RetiredBytes >= _budget.UsedBytes - _budget.LimitBytes)
            {
                return true; // Enough was given up; it becomes free when the other workers have begun their next turn.
            }

            if (log.PageMemoryBytes >= memory && log.LiveBytes == 0)
            {
                return false;
            }
        }

        return true;
    }

    /// <summary>Background work of the home worker.</summary>
    public void RunCycle(int worker, long nowMs, long budgetTicks)
    {
        var started = Stopwatch.GetTimestamp();
        var deadline = started + budgetTicks;
        _shard.Log.Reclaim(worker);
        if (IsExpiryActive)
        {
            _expiry.Run(nowMs, deadline);
        }

        _shard.Statistics.CountExpireCycle(Stopwatch.GetTimestamp() - started);
        while (HasGarbage && Stopwatch.GetTimestamp() < deadline)
        {
            _compactor.Step(_shard.Log.PageBytes, nowMs);
        }

        for (var i = 0; i < 64 || (i & 63) != 0 || Stopwatch.GetTimestamp() < deadline; i++)
        {
            if (!_shard.Index.TryShrink())
            {
                break;
            }
        }

        if (_budget.IsOver && HoldsItsShare)
        {
            _ = TryMakeRoom(worker, nowMs);
        }

        _settledBytes = _shard.Log.AppendedBytes;
    }

    /// <summary>Forgets all positions in pages: the shard is being emptied.</summary>
    public void Reset()
    {
        _compactor.Reset();
        _expiry.Reset();
    }

    // A shard that holds less than its share of the budget leaves evicting to the others.
    private bool HoldsItsShare => _shard.Log.PageMemoryBytes + _shard.Index.SizeBytes >= _budget.LimitBytes / _shards * 7 / 8;
}
