namespace Strata.Storage.Snapshot;

/// <summary>Where a snapshot goes.</summary>
public interface ISnapshotOutput
{
    /// <summary>The place for the keys of a shard; asked for once for each, while all leases are held.</summary>
    ISnapshotSink SinkOf(int shard);

    /// <summary>All shards have given what they have, or the snapshot has failed. Called once, without a lease, on the
    /// thread of the worker that ended last.</summary>
    /// <param name="failure">Why it has failed; null where it has not.</param>
    void OnWalked(SnapshotFailure? failure);
}
