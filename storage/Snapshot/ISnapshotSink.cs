using Strata.Storage.Log;

namespace Strata.Storage.Snapshot;

/// <summary>Takes the keys of one shard that belong to a snapshot, each once and whole. Called under the shard's lease,
/// by whichever thread holds it.</summary>
public interface ISnapshotSink
{
    /// <summary>Whether more has been taken than may wait to be written: the walk waits. What is about to change is
    /// taken all the same.</summary>
    bool IsFull { get; }

    /// <summary>Takes a key in one go.</summary>
    /// <param name="record">Its record, which may be a copy.</param>
    /// <exception cref="Memory.MemoryExhaustedException">There is no memory for it: the snapshot fails.</exception>
    void Write(in Record record);

    /// <summary>Begins with a key that is taken in steps. A sink takes one such key at a time.</summary>
    /// <param name="record">Its record, which may be a copy.</param>
    /// <returns>False when it cannot be begun now: another shard is at one.</returns>
    /// <exception cref="Memory.MemoryExhaustedException">There is no memory for it: the snapshot fails.</exception>
    bool TryBegin(in Record record);

    /// <summary>Goes on with the key that was begun.</summary>
    /// <param name="record">The same record.</param>
    /// <param name="effort">About how many elements; of long ones each 128 bytes count for another.</param>
    /// <returns>Whether all of it has been taken.</returns>
    /// <exception cref="Memory.MemoryExhaustedException">There is no memory for it: the snapshot fails.</exception>
    bool Step(in Record record, int effort);

    /// <summary>The shard has no more.</summary>
    void End();
}
