using Strata.Storage.Index;
using Strata.Storage.Log;
using Strata.Storage.Memory;

namespace Strata.Storage.Records;

/// <summary>Moves records within the log: for compaction, for eviction's further rounds, and back from the device.
/// Nobody waits for it: what finds no room stays where it is.</summary>
internal static unsafe class Relocation
{
    /// <summary>Copies a live record to the young end of a queue.</summary>
    /// <returns>False when the log has no room: nothing was changed.</returns>
    public static bool TryRelocate(
        this RecordStore store, ulong* slot, in Record record, PageKind kind, int frequency)
    {
        store.Changes.Unsaved?.BeforeMove(record);
        Record moved;
        try
        {
            moved = store.Log.Append(kind, new RecordSpec(record), record.ValueLength, capacity: 0);
        }
        catch (MemoryExhaustedException)
        {
            return false;
        }

        record.Value.CopyTo(moved.MutableValue);
        Volatile.Write(ref *slot, IndexEntry.WithFrequency((*slot & IndexEntry.TagMask) | moved.Address, frequency));
        if (record.IsLarge)
        {
            store.OnMoved(record, moved.Address);
        }

        store.Log.Forget(record);
        return true;
    }
}
