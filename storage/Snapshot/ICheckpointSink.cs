using Strata.Storage.Log;

namespace Strata.Storage.Snapshot;

/// <summary>Takes what of a shard belongs to a checkpoint: keys whole, or, of those on the device, their entries in the
/// index and the pages that these point to. Called as <see cref="ISnapshotSink"/> is.</summary>
public interface ICheckpointSink : ISnapshotSink
{
    /// <summary>Takes a page, once.</summary>
    /// <exception cref="Memory.MemoryExhaustedException">There is no memory for it: the checkpoint fails.</exception>
    void WritePage(in KeptPage page);

    /// <summary>Takes a key that lies in such a page.</summary>
    /// <param name="entry">Its entry of the index.</param>
    /// <param name="bucketBits">The bits of its hash below the entry's tag.</param>
    /// <exception cref="Memory.MemoryExhaustedException">There is no memory for it: the checkpoint fails.</exception>
    void WriteEntry(ulong entry, byte bucketBits);
}
