using Strata.Storage.Log;
using Strata.Storage.Memory;

namespace Strata.Storage.Records;

/// <summary>
/// Memory for large values that commands make of others. What a client sends is charged as it arrives; but a command of
/// some bytes can make any number of them, so there is asked for memory before it begins and before listeners are told.
/// A value whose record gives way to another, since it grows, gets a time to live or another key, is moved rather than
/// copied where it is large or memory is short: then it takes memory once.
/// </summary>
internal static unsafe class ValueRoom
{
    /// <summary>Asks for memory for a value that is made of others.</summary>
    /// <param name="store">The key's shard.</param>
    /// <param name="existing">The key's record as just looked up, or a null one.</param>
    /// <param name="spec">The new record.</param>
    /// <param name="valueLength">Bytes of the value.</param>
    /// <param name="neededBytes">Bytes of the others.</param>
    /// <exception cref="MemoryExhaustedException">Memory is at its end.</exception>
    public static void Ask(
        RecordStore store, in Record existing, in RecordSpec spec, int valueLength, long neededBytes)
    {
        if (!store.Log.HasPageOfItsOwn(valueLength))
        {
            return;
        }

        var staysInPlace = !existing.IsNull && existing.Type == RecordType.String && spec.Type == RecordType.String
            && store.FitsInPlace(existing, spec, valueLength);
        if (!staysInPlace)
        {
            store.Budget.AskForValue(valueLength, neededBytes);
        }
    }

    /// <summary>Asks for memory for a value that does not stay where it is, since it becomes longer or much shorter.
    /// </summary>
    /// <param name="store">The key's shard.</param>
    /// <param name="spec">The new record.</param>
    /// <param name="kept">Bytes that it has of the old one.</param>
    /// <param name="capacity">Bytes that there is to be room for.</param>
    /// <exception cref="MemoryExhaustedException">Memory is at its end.</exception>
    public static void AskForGrowth(RecordStore store, in RecordSpec spec, int kept, long capacity)
    {
        if (store.Log.HasPageOfItsOwn(capacity))
        {
            store.Budget.AskForValue(capacity - (spec.MovedFrom == null ? 0 : kept), kept);
        }
    }

    /// <summary>Where the value of a record is moved from that another one takes the place of; null where it is copied,
    /// as what is being sent to a client has to be.
    /// It may be on its way to the device, which nobody needs any more then; to wait until it is there would not help,
    /// since it may have left memory by that time, would have to be read back, and changes all the same. What is there
    /// already is moved as well, and what was read from it, out of the buffer it was read into.</summary>
    /// <param name="store">The shard of the record that gives way.</param>
    /// <param name="existing">The record.</param>
    /// <param name="bytes">Bytes that the other one keeps.</param>
    public static byte* MovedFrom(RecordStore store, in Record existing, int bytes)
        => store.Log.HasPageOfItsOwn(bytes) && store.Log.IsAlone(existing)
            && !store.Log.Loans.Contains(existing.Address)
            && (bytes >= PageMove.LeastBytes || store.Budget.WouldPassEndNow(bytes))
            ? existing.ValuePointer
            : null;
}
