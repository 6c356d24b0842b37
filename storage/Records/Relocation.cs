using Strata.Storage.Index;
using Strata.Storage.Log;
using Strata.Storage.Memory;

namespace Strata.Storage.Records;

/// <summary>Moves records within the log: for compaction, for eviction's further rounds, and back from the device.
/// Nobody waits for it: what finds no room stays where it is.</summary>
internal static unsafe class Relocation
{
    /// <summary>Copies a live record to the young end of a queue.</summary>
    /// <param name="store">Where it lives.</param>
    /// <param name="slot">Its place in the index.</param>
    /// <param name="record">The record.</param>
    /// <param name="kind">The queue.</param>
    /// <param name="frequency">How often it was used, as the index has it.</param>
    /// <param name="isMoved">Whether its value need not stay where it lies, in private, anonymous memory that nobody
    /// else looks at: then it takes memory once.</param>
    /// <returns>False when the log has no room: nothing was changed.</returns>
    public static bool TryRelocate(
        this RecordStore store, ulong* slot, in Record record, PageKind kind, int frequency, bool isMoved = false)
    {
        var movedFrom = isMoved ? record.ValuePointer : null;
        store.Changes.Unsaved?.BeforeMove(record);
        Record moved;
        try
        {
            var spec = new RecordSpec(record) { MovedFrom = movedFrom };
            moved = store.Log.Append(kind, spec, record.ValueLength, capacity: 0);
        }
        catch (MemoryExhaustedException)
        {
            return false;
        }

        moved.Fill(record.Value, movedFrom);
        Volatile.Write(ref *slot, IndexEntry.WithFrequency((*slot & IndexEntry.TagMask) | moved.Address, frequency));
        if (record.IsLarge)
        {
            store.OnMoved(record, moved.Address);
        }

        store.Log.Forget(record);
        return true;
    }
}
