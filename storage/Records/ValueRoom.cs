using Strata.Storage.Log;
using Strata.Storage.Memory;

namespace Strata.Storage.Records;

/// <summary>
/// Memory for large values. One whose record gives way to another, since it grows, gets a time to live or another key,
/// is moved rather than copied where it is large or memory is short: then it takes memory once.
/// </summary>
internal static unsafe class ValueRoom
{
    /// <summary>Where the value of a record is moved from that another one takes the place of; null where it is copied.
    /// It may be on its way to the device, which nobody needs any more then; to wait until it is there would not help,
    /// since it may have left memory by that time, would have to be read back, and changes all the same. What is there
    /// already is moved as well, and what was read from it, out of the buffer it was read into.</summary>
    /// <param name="store">The shard of the record that gives way.</param>
    /// <param name="existing">The record.</param>
    /// <param name="bytes">Bytes that the other one keeps.</param>
    public static byte* MovedFrom(RecordStore store, in Record existing, int bytes)
        => store.Log.HasPageOfItsOwn(bytes) && store.Log.IsAlone(existing)
            && (bytes >= PageMove.LeastBytes || store.Budget.WouldPassEnd(bytes + store.Budget.RetiredBytes))
            ? existing.ValuePointer
            : null;
}
