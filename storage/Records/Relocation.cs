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
        => TryRelocate(store, slot, record, kind, frequency, movedFrom: null);

    /// <summary>The same of a record that was read from the device, into private, anonymous memory which is given back
    /// next, and that nobody else looks at: a large one takes memory once.</summary>
    /// <inheritdoc cref="TryRelocate(RecordStore, ulong*, in Record, PageKind, int)"/>
    public static bool TryMoveBack(
        this RecordStore store, ulong* slot, in Record record, PageKind kind, int frequency)
    {
        var bytes = record.SizeBytes;
        if (bytes <= Limits.FreePageReadBytes)
        {
            return TryRelocate(store, slot, record, kind, frequency);
        }

        store.Budget.Leave(bytes); // Else it would count twice as long as it is on its way.
        try
        {
            return TryRelocate(store, slot, record, kind, frequency, record.ValuePointer);
        }
        finally
        {
            store.Budget.Leave(-bytes);
        }
    }

    private static bool TryRelocate(
        RecordStore store, ulong* slot, in Record record, PageKind kind, int frequency, byte* movedFrom)
    {
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
