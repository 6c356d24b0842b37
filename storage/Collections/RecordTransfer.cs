using Strata.Storage.Changes;
using Strata.Storage.Index;
using Strata.Storage.Log;

namespace Strata.Storage.Collections;

/// <summary>Gives a key the value, type and expiry of another, of whatever shard and database. The leases of both
/// must be held.</summary>
public static class RecordTransfer
{
    /// <summary>Makes a key a copy of another.</summary>
    /// <param name="source">The record to copy; it must be of another key than the destination.</param>
    /// <param name="store">The destination's shard.</param>
    /// <param name="destination">The key.</param>
    /// <param name="existing">Its record as just looked up, or a null one.</param>
    /// <param name="change">What is told of it.</param>
    /// <exception cref="Memory.MemoryExhaustedException">Nothing was changed.</exception>
    public static void Copy(
        in Record source, CollectionStore store, in Key destination, in Record existing, in Change change)
    {
        store.Changes.Before(destination, existing);
        var copy = store.Collections.WriteCopy(destination, existing, source, source.ExpiryMs);
        store.Changes.TellWhole(destination, wasMissing: true, copy, change); // As Redis: what was there was deleted.
    }

    /// <summary>Makes a key what another was, which is gone then. A large collection that stays in its shard is handed
    /// over as it is.</summary>
    /// <param name="from">The source's shard.</param>
    /// <param name="source">The key to move; another than the destination.</param>
    /// <param name="record">Its record.</param>
    /// <param name="to">The destination's shard.</param>
    /// <param name="destination">The key.</param>
    /// <param name="existing">Its record as just looked up, or a null one.</param>
    /// <param name="gone">What is told of the source.</param>
    /// <param name="come">What is told of the destination.</param>
    /// <exception cref="Memory.MemoryExhaustedException">Nothing was changed.</exception>
    public static void Move(
        CollectionStore from,
        in Key source,
        in Record record,
        CollectionStore to,
        in Key destination,
        in Record existing,
        in Change gone,
        in Change come)
    {
        from.Changes.Before(source, record);
        to.Changes.Before(destination, existing);
        var moved = record.IsLarge && from == to
            ? from.Collections.HandOver(destination, existing, record)
            : to.Collections.WriteCopy(destination, existing, record, record.ExpiryMs);
        from.Drop(source, record);
        to.Changes.Tell(destination, moved, new Change(KeyEvent.New, come.Author));
        from.Changes.Tell(source, default, gone);
        to.Changes.Tell(destination, moved, come);
    }
}
