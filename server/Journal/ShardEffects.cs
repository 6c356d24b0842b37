using Strata.Server.Runtime;
using Strata.Storage.Changes;
using Strata.Storage.Index;
using Strata.Storage.Leases;
using Strata.Storage.Log;

namespace Strata.Server.Journal;

/// <summary>
/// What becomes of one shard's keys, as the journal is told it. Of a command that changes something it is noted that it
/// does, and who executes it tells what it was; what nobody has sent (expiry, eviction) is told here. Under the shard's
/// lease; when that is given back, all of it becomes visible to the journal's thread.
/// </summary>
internal sealed class ShardEffects : IChangeListener, IHoldEnd
{
    private readonly EffectJournal _journal;
    private readonly DatabaseMap _databases;
    private readonly Durability _durability;

    /// <summary>Nothing yet.</summary>
    /// <param name="journal">The whole journal.</param>
    /// <param name="databases">By which numbers clients know databases.</param>
    /// <param name="queue">Where the shard's effects go, if it is not held together with others.</param>
    /// <param name="durability">Whether anybody waits for the disk.</param>
    public ShardEffects(EffectJournal journal, DatabaseMap databases, EffectQueue queue, Durability durability)
    {
        _journal = journal;
        _databases = databases;
        _durability = durability;
        Queue = queue;
        Route = queue;
    }

    /// <summary>Where its effects go by itself.</summary>
    public EffectQueue Queue { get; }

    /// <summary>Where they go now: while several shards are held for one command, to the same queue for all.</summary>
    public EffectQueue Route { get; set; }

    /// <inheritdoc/>
    public void BeforeChange(in Key key, in Record record)
    {
        // Only what has changed matters.
    }

    /// <inheritdoc/>
    public void Changed(in Key key, in Record record, in Change change)
    {
        if (_durability.IsAwaited)
        {
            Route.Touch(key.Hash);
        }

        if (change.What == KeyEvent.Interrupted)
        {
            _journal.TellState(Route, key, record);
        }
        else if (change.Author != null)
        {
            Route.MarkChanged();
        }
        else if (change.What == KeyEvent.Expired || change.What == KeyEvent.Evicted)
        {
            Route.BeginUnit();
            Route.BeginEffect(2, _databases.LogicalOf(key.Database));
            Route.Argument("DEL"u8);
            Route.Argument(key.Span);
            Route.EndUnit();
        }
    }

    /// <inheritdoc/>
    public void FieldExpired(in Key key, ReadOnlySpan<byte> field)
    {
        Route.BeginUnit();
        Route.BeginEffect(3, _databases.LogicalOf(key.Database));
        Route.Argument("HDEL"u8);
        Route.Argument(key.Span);
        Route.Argument(field);
        Route.EndUnit();
    }

    /// <inheritdoc/>
    public void BeforeClear(int database)
    {
        // Only what has changed matters.
    }

    /// <inheritdoc/>
    /// <remarks>Without an author it is emptied to be loaded anew, after which the journal begins anew.</remarks>
    public void Cleared(int database, IChangeAuthor? author)
    {
        if (author != null)
        {
            Route.TouchAll();
            Route.MarkChanged();
        }
    }

    /// <inheritdoc/>
    public void BeforeExchange(byte first, byte second)
    {
        // Only what has changed matters.
    }

    /// <inheritdoc/>
    public void Exchanged(byte first, byte second, IChangeAuthor? author)
    {
        Route.TouchAll();
        Route.MarkChanged();
    }

    /// <inheritdoc/>
    public void OnHoldEnd() => Queue.Commit();
}
