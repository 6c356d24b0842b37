using Strata.Server.Commands;
using Strata.Server.Network;
using Strata.Storage.Sharding;

namespace Strata.Server.Sessions;

/// <summary>
/// One client's state. Lives on one worker for life. A session that waits for a lease is parked: its input stays where
/// it is until <see cref="Resume"/>.
/// </summary>
public sealed class Session
{
    private readonly ServerWorker _worker;
    private readonly LeaseNotice _notice;
    private readonly List<DeferredGroup> _groups = [];
    private int _waitingFirst;

    internal Session(ServerWorker worker, Connection connection, long id)
    {
        _worker = worker;
        _notice = new LeaseNotice(this, worker.Worker);
        Connection = connection;
        Id = id;
        IsAuthenticated = worker.Options.Requirepass.IsEmpty;
    }

    /// <summary>The client's number, never used again.</summary>
    public long Id { get; }

    /// <summary>2 or 3.</summary>
    public int Protocol { get; set; } = 2;

    /// <summary>The selected database, by the clients' number.</summary>
    public int Database { get; set; }

    public bool IsAuthenticated { get; set; }

    /// <summary>CLIENT NO-TOUCH: reads of this client do not mark keys as used.</summary>
    public bool NoTouch { get; set; }

    /// <summary>The row of the last command, for CLIENT LIST.</summary>
    public CommandRow? LastCommand { get; internal set; }

    /// <summary>Whether the client is waiting and its input must not be read.</summary>
    public bool IsParked { get; private set; }

    /// <summary>Whether the connection ends once its replies are sent (QUIT, broken protocol).</summary>
    public bool ClosesAfterReply { get; set; }

    internal Connection Connection { get; }

    /// <summary>Whether the client's single-key commands may be gathered into runs.</summary>
    internal bool MayRun => IsAuthenticated && _worker.Options.SgGet;

    /// <summary>Whether parts of a run are in other hands.</summary>
    internal bool IsWaitingForRun => _groups.Count > 0;

    /// <summary>The session goes on with its input.</summary>
    internal void Resume()
    {
        IsParked = false;
        Connection.ProcessPending();
    }

    /// <summary>Waits until a lease is given back; the command is executed again then.</summary>
    internal void WaitForLease(Shard shard)
    {
        IsParked = true;
        shard.Lease.Queue(shard, _notice);
    }

    /// <summary>Waits for groups of a run that are in other hands; the replies from <paramref name="first"/> on are
    /// written when all are back.</summary>
    internal void WaitForGroups(CommandRun run, int first, IReadOnlyCollection<DeferredGroup> groups)
    {
        IsParked = true;
        _waitingFirst = first;
        _groups.AddRange(groups);
        run.PendingGroups = _groups.Count;
        _worker.ReplaceRun();
    }

    /// <summary>A group came back; after the last one the replies are sent in wire order.</summary>
    internal void OnGroupDone(CommandRun run)
    {
        if (--run.PendingGroups > 0)
        {
            return;
        }

        if (!Connection.IsClosed)
        {
            _worker.Reply.Protocol = Protocol;
            run.CopyReplies(_worker.Reply, _waitingFirst);
        }

        foreach (var group in _groups)
        {
            _worker.Return(group);
        }

        _groups.Clear();
        _worker.Return(run);
        Resume();
    }
}
