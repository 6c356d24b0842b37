using Strata.Storage.Changes;
using Strata.Storage.Index;
using Strata.Storage.Log;

namespace Strata.Server.Clients.Tracking;

/// <summary>Listens to one shard's changes for clients that track. What becomes of whole databases is told of all
/// shards, one by one and under all leases: it counts when the last is done.</summary>
internal sealed class TrackedChanges(InvalidationHub hub, bool isLast) : IChangeListener
{
    /// <inheritdoc/>
    public void BeforeChange(in Key key, in Record record)
    {
        // What clients have read by now they are told of after the change.
    }

    /// <inheritdoc/>
    /// <remarks>That a key is new is followed by what has made it.</remarks>
    public void Changed(in Key key, in Record record, in Change change)
    {
        if (!change.What.IsUnwatched && change.What != KeyEvent.New)
        {
            hub.OnChanged(key, change.Author);
        }
    }

    /// <inheritdoc/>
    public void BeforeClear(int database)
    {
    }

    /// <inheritdoc/>
    public void Cleared(int database, IChangeAuthor? author) => TellIfLast();

    /// <inheritdoc/>
    public void BeforeExchange(byte first, byte second)
    {
    }

    /// <inheritdoc/>
    /// <remarks>Redis tells nothing here, and clients go on with values of the other database.</remarks>
    public void Exchanged(byte first, byte second, IChangeAuthor? author) => TellIfLast();

    private void TellIfLast()
    {
        if (isLast)
        {
            hub.OnAllChanged();
        }
    }
}
