using Strata.Storage.Log;

namespace Strata.Storage.Records;

/// <summary>The records that are on the device alone, for one who looks keys up: those that were read for it, and those
/// that it must wait for.</summary>
public interface IColdRecords
{
    /// <summary>Opens a record that was read; asks for it otherwise. Safe without the lease.</summary>
    /// <param name="store">Whose record it is.</param>
    /// <param name="address">Where it is in the store's log, if the index was not torn.</param>
    /// <param name="record">The record.</param>
    /// <returns>False when the record is not there: it was asked for, or cannot be had.</returns>
    bool TryOpen(RecordStore store, ulong address, out Record record);
}
