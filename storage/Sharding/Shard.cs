using System.Runtime.CompilerServices;
using Strata.Storage.Interests;
using Strata.Storage.Memory;
using Strata.Storage.Records;
using Strata.Storage.Tiering;
using Strata.Storage.Upkeep;

namespace Strata.Storage.Sharding;

/// <summary>A part of the keys, with all that keeps it within its bounds, and who watches its keys or waits for
/// them. What it says of its records, <see cref="RecordStore"/> tells.</summary>
public sealed class Shard : TieredStore
{
    private readonly Maintenance _maintenance;

    /// <summary>An empty shard with its part of <paramref name="memory"/>; what does not fit goes to the <paramref
    /// name="tier"/>, if there is one.</summary>
    public Shard(
        int number, ShardSettings settings, ShardMemory memory, MemoryBudget budget, Quiescence quiescence, Tier? tier)
        : base(number, settings, memory, budget, quiescence, tier)
    {
        Watches = new KeyWatches(this);
        Waits = new KeyWaits(this);
        _maintenance = new Maintenance(this, budget, settings);
    }

    /// <summary>Who watches keys (WATCH).</summary>
    public KeyWatches Watches { get; }

    /// <summary>Who waits for keys to have a value (BLPOP and its like).</summary>
    public KeyWaits Waits { get; }

    /// <summary>Whether the background cycle deletes expired keys; off only in tests.</summary>
    public bool IsExpiryActive
    {
        get => _maintenance.IsExpiryActive;
        set => _maintenance.IsExpiryActive = value;
    }

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public override void Settle(int worker, long nowMs)
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

    /// <summary>Frees some of what was given up. Called under the lease between commands.</summary>
    /// <returns>False when there is nothing that can be freed now.</returns>
    public bool TryFree(int worker) => _maintenance.TryFree(worker);

    /// <summary>The home worker's share of background work: expiry, index shrinking, compaction, for at most <paramref
    /// name="budgetTicks"/> of <see cref="System.Diagnostics.Stopwatch"/>; and what is known of keys by name.</summary>
    public void RunCycle(int worker, long nowMs, long budgetTicks)
    {
        _maintenance.RunCycle(worker, nowMs, budgetTicks);
        Census.RunCycle(nowMs);
    }

    /// <inheritdoc/>
    internal override void Empty()
    {
        _maintenance.Reset();
        base.Empty();
    }

    /// <inheritdoc/>
    internal override void ForgetPosition(int page) => _maintenance.ForgetPosition(page);
}
