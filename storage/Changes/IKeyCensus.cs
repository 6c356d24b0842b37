using Strata.Storage.Index;
using Strata.Storage.Log;

namespace Strata.Storage.Changes;

/// <summary>Keeps account of some keys of a shard, of which the seam of change tells it alone: those that were drawn by
/// their hash, when they come and go, and large ones at each change. Called under the lease, when all of the change is
/// done; it must neither change the shard nor throw.</summary>
internal interface IKeyCensus
{
    /// <summary>A key came, went, or is a large one that has changed.</summary>
    /// <param name="key">The key.</param>
    /// <param name="record">Its record by now; a null one where it is gone.</param>
    /// <param name="isNew">Whether it was not there before.</param>
    void Note(in Key key, in Record record, bool isNew);

    /// <summary>All keys of a database are gone.</summary>
    /// <param name="database">The database, by its physical number, or <see cref="ShardChanges.AllDatabases"/>.</param>
    void Clear(int database);
}
