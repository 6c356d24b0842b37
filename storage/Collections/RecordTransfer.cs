using Strata.Storage.Changes;
using Strata.Storage.Index;
using Strata.Storage.Log;
using Strata.Storage.Records;

namespace Strata.Storage.Collections;

/// <summary>Gives a key the value, type and expiry of another, of whatever shard and database. The leases of both
/// must be held.</summary>
public static unsafe class RecordTransfer
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
        var spec = SpecOf(source, destination);
        if (source.IsLarge)
        {
            AskForCollection(store, source);
        }
        else
        {
            ValueRoom.Ask(store, existing, spec, source.ValueLength, neededBytes: source.ValueLength);
        }

        store.Changes.Before(destination, existing);
        var copy = store.Collections.WriteCopy(destination, existing, source, spec);
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
    /// <param name="copy">A copy of a large collection, if one was made for the destination; that becomes it.</param>
    /// <exception cref="Memory.MemoryExhaustedException">Nothing was changed.</exception>
    public static void Move(
        CollectionStore from,
        in Key source,
        in Record record,
        CollectionStore to,
        in Key destination,
        in Record existing,
        in Change gone,
        in Change come,
        CollectionCopy? copy = null)
    {
        if (record.IsLarge && from != to && copy == null)
        {
            AskForCollection(to, record);
        }

        from.Changes.Before(source, record);
        to.Changes.Before(destination, existing);
        var moved = copy != null ? copy.Write(destination, existing, record.ExpiryMs)
            : record.IsLarge && from == to
            ? from.Collections.HandOver(destination, existing, record)
            : to.Collections.WriteCopy(destination, existing, record, SpecOf(record, destination) with
            {
                MovedFrom = ValueRoom.MovedFrom(from, record, record.ValueLength),
            });
        moved.SetAccessed(to.Log.Accesses.Anew(record.Accessed));
        from.Drop(source, record);
        to.Changes.Tell(destination, moved, new Change(KeyEvent.New, come.Author));
        from.Changes.Tell(source, default, gone);
        to.Changes.Tell(destination, moved, come);
    }

    /// <summary>Asks for memory for a large collection, which is packed, and made again of that.</summary>
    private static void AskForCollection(CollectionStore store, in Record large)
    {
        var bytes = ShardCollections.PackedBytesOf(large);
        if (store.Log.HasPageOfItsOwn(bytes))
        {
            store.Budget.AskForValue(2 * bytes, neededBytes: bytes);
        }
    }

    private static RecordSpec SpecOf(in Record source, in Key destination)
        => new(destination, source.Type, source.ExpiryMs, source.Flags);
}
