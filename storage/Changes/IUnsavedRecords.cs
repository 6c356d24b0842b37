using Strata.Storage.Log;

namespace Strata.Storage.Changes;

/// <summary>
/// The records of a store that somebody has yet to read as they are at a certain moment (a snapshot). Beside the
/// changes that the seam tells, it is told of what is no change and yet takes a record from where it would be read.
/// Called under the lease, before it happens; it may neither change the store nor throw.
/// </summary>
internal unsafe interface IUnsavedRecords
{
    /// <summary>A record is about to give way to a copy of it in memory, or to its collection in another
    /// form.</summary>
    /// <param name="record">The record as the index points to it.</param>
    void BeforeMove(in Record record);

    /// <summary>A page that is on the device, too, is about to leave memory.</summary>
    /// <param name="page">Its number.</param>
    void BeforeDrop(int page);

    /// <summary>A large collection is about to be freed.</summary>
    /// <param name="root">Its root.</param>
    void BeforeDoom(byte* root);
}
