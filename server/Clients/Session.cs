using Strata.Server.Commands.Model;
using Strata.Server.Execution.Leases;
using Strata.Server.Execution.Runs;
using Strata.Server.Execution.Transactions;
using Strata.Server.Execution.Waiting;
using Strata.Server.Messaging;
using Strata.Server.Network;
using Strata.Server.Resp;
using Strata.Storage.Changes;
using Strata.Storage.Sharding;
using Strata.Storage.Tiering;

namespace Strata.Server.Clients;

/// <summary>
/// One client's state. Lives on one worker for life. A session that waits (for a lease, for other workers' answers, for
/// the end of CLIENT PAUSE) is parked: its input stays where it is until <see cref="Resume"/>.
/// </summary>
public sealed class Session : IColdReadWaiter, IChangeAuthor
{
    private readonly LeaseNotice _notice;
    private readonly List<DeferredGroup> _groups = [];
    private TurnNotice? _turn;
    private CommandRun? _run;
    private bool _isAuthenticated;
    private bool _isMonitor;
    private ReplyMode _replyMode;
    private bool _skipsNext;
    private bool _isPlain;
    private SessionSubscriptions? _subscriptions;
    private bool _mayRun;

    internal Session(ServerWorker worker, Connection connection, long id)
    {
        Worker = worker;
        _notice = new LeaseNotice(this, worker.Worker);
        Connection = connection;
        Id = id;
        Transaction = new Transaction(this);
        ResetAuthentication();
    }

    /// <summary>The client's number, never used again.</summary>
    public long Id { get; }

    /// <summary>Where the client comes from.</summary>
    public ClientAddress Address => Connection.Address;

    /// <summary>2 or 3.</summary>
    public int Protocol { get; private set; } = 2;

    /// <summary>The selected database, by the clients' number.</summary>
    public int Database { get; set; }

    /// <summary>Whether the client gave the password, or came when there was none.</summary>
    public bool IsAuthenticated
    {
        get => _isAuthenticated;
        set
        {
            _isAuthenticated = value;
            UpdatePlain();
        }
    }

    /// <summary>CLIENT SETNAME, printable ASCII; empty when the client has no name.</summary>
    public string Name { get; set; } = "";

    /// <summary>CLIENT SETINFO LIB-NAME, printable ASCII.</summary>
    public string LibraryName { get; set; } = "";

    /// <summary>CLIENT SETINFO LIB-VER, printable ASCII.</summary>
    public string LibraryVersion { get; set; } = "";

    /// <summary>CLIENT NO-TOUCH: reads of this client do not mark keys as used.</summary>
    public bool NoTouch { get; set; }

    /// <summary>CLIENT NO-EVICT: the client asked not to be closed to save memory.</summary>
    public bool NoEvict { get; set; }

    /// <summary>The row of the last command, or null when it was unknown; for CLIENT LIST.</summary>
    public CommandRow? LastCommand { get; internal set; }

    /// <summary>Whether the client is waiting and its input must not be read.</summary>
    public bool IsParked { get; private set; }

    /// <summary>Whether the client waits for the end of CLIENT PAUSE.</summary>
    public bool IsPaused { get; private set; }

    /// <summary>Whether the connection ends once its replies are sent (QUIT, broken protocol).</summary>
    public bool ClosesAfterReply { get; set; }

    /// <summary>Whether the client is sent what others do (MONITOR).</summary>
    public bool IsMonitor
    {
        get => _isMonitor;
        internal set
        {
            _isMonitor = value;
            UpdatePlain();
        }
    }

    /// <summary>Whether the client subscribes to something.</summary>
    public bool IsSubscriber => _subscriptions is { AreAny: true };

    /// <summary>How many subscriptions of a kind the client has.</summary>
    internal int CountOf(ChannelKind kind) => _subscriptions?.Count(kind) ?? 0;

    /// <summary>What the client subscribes to. Whoever changes it calls <see cref="OnSubscriptionsChanged"/>.</summary>
    internal SessionSubscriptions Subscriptions => _subscriptions ??= new SessionSubscriptions(this);

    internal ServerWorker Worker { get; }

    internal Connection Connection { get; }

    /// <summary>Whether the client's single-key commands may be gathered into runs.</summary>
    internal bool MayRun => _mayRun && Worker.MayRun;

    /// <summary>Whether commands are looked at one by one before and after they are executed: replies are taken back,
    /// monitors are fed, or clients are paused.</summary>
    internal bool IsGated => !_isPlain || Worker.Gates.AreActive;

    /// <summary>Whether replies are taken back now.</summary>
    internal bool IsMuted => _replyMode != ReplyMode.On;

    /// <summary>Whether parts of a run are in other hands.</summary>
    internal bool IsWaitingForRun => _run != null;

    /// <summary>Whether the client waits for something that may never come: the end of CLIENT PAUSE, a key.</summary>
    internal bool WaitsLong => IsPaused || IsBlocked;

    /// <summary>Whether the client waits for what will soon be there: a lease, the device, other workers.</summary>
    internal bool WaitsBriefly => IsParked && !WaitsLong;

    /// <summary>The client's blocking command, until it is answered: woken, it is executed again.</summary>
    internal BlockedCommand? Blocked { get; private set; }

    /// <summary>Whether the client waits for its blocking command's keys.</summary>
    internal bool IsBlocked { get; private set; }

    /// <summary>MULTI and WATCH.</summary>
    internal Transaction Transaction { get; }

    /// <summary>The command that goes on step by step, what it has by now; disposed of when it or the client ends.
    /// </summary>
    internal IDisposable? Unfinished { get; set; }

    /// <summary>The cold records read for the command that is executed next.</summary>
    internal ColdReadSet? Cold { get; set; }

    /// <summary>
    /// Asks every worker, each on its own thread, and goes on with <paramref name="answer"/> when all have answered;
    /// the session is parked meanwhile, so that replies stay in order. For handlers without keys that are rare: it
    /// allocates. The handler must not have replied, and must return after the call.
    /// </summary>
    /// <typeparam name="T">What a worker answers.</typeparam>
    /// <param name="ask">Called once on each worker. It must not touch the worker's reply buffer.</param>
    /// <param name="answer">Writes the reply, on the session's worker, from the answers by worker number. Not called
    /// when the client has gone meanwhile.</param>
    internal void AskWorkers<T>(Func<ServerWorker, T> ask, Action<ReplyWriter, IReadOnlyList<T>> answer)
    {
        var round = new WorkerRound<T>(this, Worker.Server, ask, answer);
        if (Transaction.IsExecuting)
        {
            Transaction.Hold(round);
            return;
        }

        IsParked = true;
        round.Start(Worker);
    }

    /// <summary>Writes the reply the session was parked for, and goes on with its input.</summary>
    internal void Answer(Action<ReplyWriter> write)
    {
        if (!Connection.IsClosed)
        {
            var reply = Worker.Reply;
            var start = reply.Length;
            reply.Protocol = Protocol;
            write(reply);
            EndCommand(reply, start);
        }

        if (!Transaction.TryGoOn())
        {
            Resume();
        }
    }

    /// <summary>Waits until published messages are delivered.</summary>
    internal void WaitForDelivery() => IsParked = true;

    /// <summary>Waits for the answers of the workers.</summary>
    internal void WaitForAnswers() => IsParked = true;

    /// <summary>Speaks RESP2 or RESP3 from the reply being written on.</summary>
    internal void UseProtocol(int protocol, ReplyWriter reply)
    {
        Protocol = protocol;
        reply.Protocol = protocol;
        UpdatePlain();
    }

    /// <summary>Channels were subscribed to, or no longer.</summary>
    internal void OnSubscriptionsChanged() => UpdatePlain();

    /// <summary>CLIENT REPLY ON or OFF.</summary>
    internal void SetReplies(ReplyMode mode)
    {
        _replyMode = mode;
        UpdatePlain();
    }

    /// <summary>CLIENT REPLY SKIP: takes back the next command's reply.</summary>
    internal void SkipNextReply()
    {
        _skipsNext = _replyMode != ReplyMode.Off;
        UpdatePlain();
    }

    /// <summary>A command is executed and its reply written from <paramref name="start"/> on: takes the reply back if
    /// the client does not want it.</summary>
    internal void EndCommand(ReplyWriter reply, int start)
    {
        if (_replyMode != ReplyMode.On)
        {
            reply.Rewind(start);
        }

        if (_skipsNext || _replyMode == ReplyMode.Skip)
        {
            _replyMode = _skipsNext ? ReplyMode.Skip : ReplyMode.On;
            _skipsNext = false;
            UpdatePlain();
        }
    }

    /// <summary>What RESET forgets. What the client said of its library stays.</summary>
    internal void Reset(ReplyWriter reply)
    {
        UseProtocol(2, reply);
        Database = 0;
        Name = "";
        NoTouch = false;
        NoEvict = false;
        _skipsNext = false;
        _replyMode = _replyMode == ReplyMode.Off ? ReplyMode.On : _replyMode;
        Transaction.End();
        LeaveMonitors();
        LeaveChannels();
        ResetAuthentication();
    }

    /// <summary>The connection is closed.</summary>
    internal void OnClosed()
    {
        Transaction.End();
        EndBlocked();
        LeaveMonitors();
        LeaveChannels();
        if (IsPaused)
        {
            Worker.Gates.Forget(this);
        }

        EndUnfinished();
        if (Cold is { IsReading: false })
        {
            ReturnCold();
        }
    }

    /// <summary>What the session waited for on the device has been read.</summary>
    void IColdReadWaiter.OnColdReads()
    {
        if (_run != null)
        {
            OnWaitEnded(_run);
        }
        else if (Connection.IsClosed)
        {
            ReturnCold();
        }
        else
        {
            Resume();
        }
    }

    /// <summary>What the session waited for may be there.</summary>
    internal void TryAgain()
    {
        if (_run != null)
        {
            OnWaitEnded(_run);
        }
        else
        {
            Resume();
        }
    }

    /// <summary>The session goes on with its input.</summary>
    internal void Resume()
    {
        IsParked = false;
        IsPaused = false;
        IsBlocked = false;
        Connection.Resume();
    }

    /// <summary>Waits for the end of CLIENT PAUSE; the command is executed then.</summary>
    internal void WaitForUnpause()
    {
        IsParked = true;
        IsPaused = true;
    }

    /// <summary>Waits for a key; the command is executed again when one may be there.</summary>
    internal void Block(BlockedCommand command)
    {
        if (Blocked == null)
        {
            Blocked = command;
            Worker.Blocked.Add(command);
        }

        IsParked = true;
        IsBlocked = true;
    }

    /// <summary>The blocking command, if there is one, is answered, or its client has gone.</summary>
    internal void EndBlocked()
    {
        if (Blocked is { } command)
        {
            Blocked = null;
            IsBlocked = false;
            Worker.Blocked.Remove(command);
            command.Leave();
        }
    }

    /// <summary>What the blocking command waits for may be there. If it is under way already it will find out by
    /// itself.</summary>
    internal void OnWake(BlockedCommand command)
    {
        if (IsBlocked && Blocked == command)
        {
            Resume();
        }
    }

    /// <summary>Waits until a lease is given back; the command is executed again then.</summary>
    internal void WaitForLease(Shard shard)
    {
        IsParked = true;
        shard.Lease.Queue(shard, _notice);
    }

    /// <summary>A command must let someone pass who waits for its key.</summary>
    internal void LetPass(AwaitedKey first) => (_turn ??= new TurnNotice(this)).LeaveWith(first);

    /// <summary>Waits until who was let pass has had their turn; the command is executed again then.</summary>
    internal void WaitForTurn()
    {
        IsParked = true;
        _turn!.Await();
    }

    /// <summary>Waits until the records that <paramref name="set"/> was asked for are read; the command is executed
    /// again then.</summary>
    /// <returns>False when there is nothing to wait for.</returns>
    internal bool TryWaitForCold(ColdReadSet set)
    {
        Cold = set;
        IsParked = set.TryStart(this);
        return IsParked;
    }

    /// <summary>Waits until there is memory; the command is executed again then.</summary>
    internal void WaitForRoom()
    {
        IsParked = true;
        Worker.WaitForRoom(this);
    }

    /// <summary>Forgets the records that were read for the last command.</summary>
    internal void ReturnCold()
    {
        Cold?.Return();
        Cold = null;
    }

    /// <summary>A command that went on step by step has ended.</summary>
    internal void EndUnfinished()
    {
        Unfinished?.Dispose();
        Unfinished = null;
    }

    /// <summary>Waits for what is left of a run; its replies are sent when all of it has been executed.</summary>
    internal void WaitForRun(CommandRun run)
    {
        IsParked = true;
        if (_run == null)
        {
            _run = run;
            Worker.ReplaceRun();
        }
    }

    /// <summary>A group of the run is in other hands: keeps it until its replies are copied.</summary>
    internal void Keep(DeferredGroup group) => _groups.Add(group);

    /// <summary>One of the things the run waits for is there; after the last one the run goes on, and when all of it is
    /// executed, the replies are sent in wire order. What a client that has gone had sent is executed all the same.
    /// </summary>
    internal void OnWaitEnded(CommandRun run)
    {
        if (--run.Waits > 0)
        {
            return;
        }

        var reply = Worker.Reply;
        var start = reply.Length;
        reply.Protocol = Protocol;
        if (!Worker.Commands.TryContinue(this, run))
        {
            return;
        }

        if (Connection.IsClosed)
        {
            reply.Rewind(start);
        }
        else
        {
            EndCommand(reply, start);
        }

        foreach (var group in _groups)
        {
            Worker.Return(group);
        }

        _groups.Clear();
        _run = null;
        Worker.Return(run);
        Resume();
    }

    private void LeaveMonitors()
    {
        if (IsMonitor)
        {
            IsMonitor = false;
            Worker.Server.Gates.RemoveMonitor(this);
            Worker.Server.OnEveryWorker(static worker => worker.Gates.Adopt());
        }
    }

    private void LeaveChannels()
    {
        _subscriptions?.RemoveAll();
        UpdatePlain();
    }

    /// <summary>Reads the newest password, not that of the turn's start: one set just before this client came holds.
    /// </summary>
    private void ResetAuthentication()
        => IsAuthenticated = Worker.Server.Configuration.Current.Requirepass.IsEmpty;

    /// <summary>Something changed that decides how commands are executed.</summary>
    internal void UpdatePlain()
    {
        _isPlain = _isAuthenticated && !_isMonitor && _replyMode == ReplyMode.On && !_skipsNext
            && (Protocol == 3 || !IsSubscriber);
        _mayRun = _isPlain && !Transaction.IsOpen;
    }
}
