using Strata.Storage.Runtime;

namespace Strata.Storage.Tiering;

/// <summary>Work on a shard that would take too long in one go. A worker makes a step of it in each turn of its loop,
/// under the shard's lease; between two steps commands are executed, also on this shard.</summary>
internal abstract class ShardTask
{
    protected ShardTask(TieredStore store)
    {
        Store = store;
    }

    /// <summary>The shard.</summary>
    public TieredStore Store { get; }

    /// <summary>Whether the next step is to wait until memory was let go, if that is short. Without the lease.
    /// </summary>
    /// <param name="nowMs">Wall clock, milliseconds since 1970.</param>
    /// <param name="isAtEnd">Whether memory is at its end.</param>
    public virtual bool WaitsForRoom(long nowMs, bool isAtEnd) => false;

    /// <summary>Makes a step, under the lease. Where it waits, what it waits for adds it to its worker's tasks again.
    /// </summary>
    public abstract StepResult Step();

    /// <summary>The last step was made. Called without the lease, on the thread of the <paramref name="worker"/> that
    /// made it.</summary>
    public abstract void OnEnded(TierWorker worker);
}
