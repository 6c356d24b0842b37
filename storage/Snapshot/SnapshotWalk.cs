using Strata.Storage.Memory;
using Strata.Storage.Runtime;
using Strata.Storage.Sharding;
using Strata.Storage.Tiering;

namespace Strata.Storage.Snapshot;

/// <summary>
/// A snapshot of all shards at one moment, without a copy of the process: begun under all leases, it is then walked in
/// slices by the shards' home workers while clients go on. Every key that was there at the moment, and whose time had
/// not come, is given to the output once, as it was then; no other is.
/// </summary>
public sealed class SnapshotWalk
{
    private readonly ShardMap _shards;
    private readonly ISnapshotOutput _output;
    private readonly ShardSnapshot[] _parts;
    private readonly bool[] _haveEnded;
    private int _left;
    private volatile SnapshotFailure? _failure;

    /// <summary>Begins at this moment. All leases must be held.</summary>
    /// <param name="shards">The shards.</param>
    /// <param name="output">Where it goes.</param>
    /// <param name="nowMs">The time, milliseconds since 1970.</param>
    /// <param name="checkpoint">The number of the base (<see cref="CheckpointHolds"/>) if keys on the device are given
    /// as entries, to sinks that are <see cref="ICheckpointSink"/>s; 0 if all are given whole.</param>
    public SnapshotWalk(ShardMap shards, ISnapshotOutput output, long nowMs, long checkpoint = 0)
    {
        Checkpoint = checkpoint;
        _shards = shards;
        _output = output;
        NowMs = nowMs;
        _parts = new ShardSnapshot[shards.Count];
        _haveEnded = new bool[shards.Count];
        _left = shards.Count;
        for (var i = 0; i < shards.Count; i++)
        {
            _parts[i] = new ShardSnapshot(this, shards[i], output.SinkOf(i));
        }
    }

    /// <summary>The time of its moment, milliseconds since 1970.</summary>
    public long NowMs { get; }

    /// <summary>Elements that are taken in one step. Other than <see cref="Limits.CollectionStepEffort"/> only in
    /// tests.
    /// </summary>
    public int StepEffort { get; init; } = Limits.CollectionStepEffort;

    /// <summary>A longer value is taken in steps. Other than <see cref="Limits.LargestSavedAtOnceBytes"/> only in
    /// tests.
    /// </summary>
    public int LargestAtOnceBytes { get; init; } = Limits.LargestSavedAtOnceBytes;

    /// <summary>Steps of one slice at most; fewer only in tests, where a clock may stand still.</summary>
    public int StepsPerSlice { get; init; } = int.MaxValue;

    /// <summary>Why it came to nothing, if it has. Any thread.</summary>
    public SnapshotFailure? Failure => _failure;

    /// <summary>Whether all of it has ended, also where it has failed. Any thread.</summary>
    public bool HasEnded => Volatile.Read(ref _left) == 0;

    internal long Checkpoint { get; }

    internal bool IsStopped => _failure != null;

    /// <summary>Makes it fail: its workers end what they have of it. Any thread.</summary>
    public void Fail(SnapshotFailure failure) => Interlocked.CompareExchange(ref _failure, failure, null);

    /// <summary>Goes on with the shards of one worker, on its thread, without a lease.</summary>
    /// <param name="worker">The worker.</param>
    /// <param name="workers">How many there are.</param>
    /// <param name="tier">Its way to the device, if there is one.</param>
    /// <param name="ticks">How long at most, ticks of <see cref="System.Diagnostics.Stopwatch"/>.</param>
    /// <returns>Whether there is more to do at once.</returns>
    public bool Run(int worker, int workers, TierWorker? tier, long ticks)
    {
        var isMore = false;
        var deadline = new Deadline(_shards.Clock, _shards.Clock.GetTimestamp(), ticks);
        for (var i = worker; i < _parts.Length; i += workers)
        {
            if (_haveEnded[i])
            {
                continue;
            }

            if (!_shards[i].Lease.TryAcquire())
            {
                isMore = true;
                continue;
            }

            var result = StepUnderLease(i, tier, deadline);
            isMore |= result == StepResult.More;
            if (result == StepResult.Done)
            {
                OnEnded(i);
            }
            else if (_parts[i].WantedBytes > 0)
            {
                tier!.LetGo(_parts[i].WantedBytes);
            }

            if (deadline.HasPassed || (isMore && StepsPerSlice != int.MaxValue))
            {
                return true;
            }
        }

        return isMore;
    }

    /// <summary>Whether a command that is about to change a key is to wait until its value, which is long, is saved.
    /// The lease must be held.</summary>
    /// <param name="shard">The key's shard.</param>
    /// <param name="key">The key.</param>
    /// <param name="record">Its record as just looked up.</param>
    public static bool IsToBeAwaited(Shard shard, in Index.Key key, in Log.Record record)
        => shard.Changes.Unsaved is ShardSnapshot snapshot && snapshot.IsToBeAwaited(key, record);

    internal static bool IsWantOfMemory(Exception exception)
        => exception is MemoryExhaustedException or OutOfMemoryException;

    internal void Fail(Exception exception) => Fail(new SnapshotFailure($"there was no memory: {exception.Message}"));

    private void OnEnded(int shard)
    {
        _haveEnded[shard] = true;
        if (Interlocked.Decrement(ref _left) == 0)
        {
            _output.OnWalked(_failure);
        }
    }

    private StepResult StepUnderLease(int shard, TierWorker? tier, in Deadline deadline)
    {
        try
        {
            return _parts[shard].Step(tier, deadline, StepsPerSlice);
        }
        finally
        {
            _shards[shard].Lease.Release();
        }
    }
}
