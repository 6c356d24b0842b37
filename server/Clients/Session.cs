using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using Strata.Server.Clients.Access;
using Strata.Server.Clients.Tracking;
using Strata.Server.Clients.Transactions;
using Strata.Server.Clients.Waiting;
using Strata.Server.Commands.Model;
using Strata.Server.Messaging;
using Strata.Server.Network;
using Strata.Server.Resp;
using Strata.Storage;
using Strata.Storage.Memory;
using Strata.Storage.Tiering;

namespace Strata.Server.Clients;

/// <summary>
/// One client's state. Lives on one worker for life. A session that waits (for a lease, for other workers' answers, for
/// the end of CLIENT PAUSE) is parked: its input stays where it is until it goes on.
/// </summary>
public sealed unsafe class Session : WaitingClient, IColdReadWaiter
{
    private Action<ReplyWriter>? _answer;
    private bool _isAuthenticated;
    private bool _isMonitor;
    private ReplyMode _replyMode;
    private bool _skipsNext;
    private bool _isPlain;
    private SessionSubscriptions? _subscriptions;
    private bool _mayRun;
    private MemoryCharge _names;

    internal Session(ClientWorker worker, Connection connection, long id, ClientOrigin origin)
        : base(worker, connection, id)
    {
        _names = new MemoryCharge(worker.Budget);
        Transaction = new Transaction(this);
        IsOwn = origin != ClientOrigin.Anybody;
        ResetUser();
        IsLoader = origin == ClientOrigin.Journal;
        Commands = IsOwn ? worker.Services.Names.OfServer : worker.Services.Commands;
    }

    /// <summary>Whether the client gave a password, or came when there was none.</summary>
    public bool IsAuthenticated => _isAuthenticated;

    /// <summary>Whether the client is the server's own, which is refused nothing.</summary>
    public bool IsOwn { get; }

    /// <summary>The commands by the names that the client may say.</summary>
    internal CommandTable Commands { get; }

    /// <summary>The user that the client is.</summary>
    internal UserSlot User { get; private set; }

    /// <summary>The user, where something is forbidden to that one: what decides whether commands may be executed that
    /// nobody looks at one by one. Follows a change of the user when the worker is told of it
    /// (<see cref="UserChange"/>).</summary>
    internal AccessUser? Restriction { get; private set; }

    /// <summary>CLIENT SETINFO LIB-NAME, printable ASCII.</summary>
    public string LibraryName
    {
        get;
        set
        {
            field = value;
            OnNamed();
        }
    }
    = "";

    /// <summary>CLIENT SETINFO LIB-VER, printable ASCII.</summary>
    public string LibraryVersion
    {
        get;
        set
        {
            field = value;
            OnNamed();
        }
    }
    = "";

    /// <summary>Memory that the client has the server hold beyond its buffers, bytes: names, what it watches, tracks by
    /// prefixes and subscribes to.</summary>
    public long HeldBytes => _names.Bytes + Transaction.WatchBytes + (_subscriptions?.SizeBytes ?? 0)
        + (Tracking?.PrefixBytes ?? 0);

    /// <summary>Whether the client repeats what stands in the journal: it is refused nothing, and finds nothing
    /// expired, since it was not when it was done first.</summary>
    public bool IsLoader { get; }

    /// <summary>CLIENT NO-EVICT: the client asked not to be closed to save memory.</summary>
    public bool NoEvict { get; set; }

    /// <inheritdoc/>
    public override bool IsMonitor => _isMonitor;

    /// <inheritdoc/>
    public override bool IsSubscriber => _subscriptions is { AreAny: true };

    /// <summary>How many subscriptions of a kind the client has.</summary>
    internal int CountOf(ChannelKind kind) => _subscriptions?.Count(kind) ?? 0;

    /// <summary>What the client subscribes to. Whoever changes it calls <see cref="OnSubscriptionsChanged"/>.</summary>
    internal SessionSubscriptions Subscriptions
        => _subscriptions ??= new SessionSubscriptions(this, Worker.Services.Messages);

    /// <summary>Where the worker keeps the session.</summary>
    internal int ListIndex { get; set; }

    /// <summary>Whether the client's single-key commands may be gathered into runs.</summary>
    internal bool MayRun => _mayRun && (Worker.MayRun || (IsLoader && Worker.MayRunLoader));

    /// <summary>The same of a command, which must be allowed to its user.</summary>
    internal bool MayRunUnseen(CommandRow row, in Request request)
        => MayRun && (Restriction == null || AccessCheck.AllowsInRun(Restriction, row, request));

    /// <summary>Whether commands are looked at one by one before and after they are executed: replies are taken back,
    /// monitors are fed, or clients are paused.</summary>
    internal bool IsGated => !_isPlain || Worker.Gates.AreActive;

    /// <inheritdoc/>
    internal override bool IsMuted => _replyMode != ReplyMode.On;

    /// <summary>CLIENT TRACKING; null while it is off. Whoever changes it calls <see cref="OnTrackingChanged"/>.
    /// </summary>
    internal TrackingState? Tracking { get; private set; }

    /// <summary>MULTI and WATCH.</summary>
    internal Transaction Transaction { get; }

    /// <summary>
    /// Asks every worker, each on its own thread, and goes on with <paramref name="answer"/> when all have answered;
    /// the session is parked meanwhile, so that replies stay in order. For handlers without keys that are rare: it
    /// allocates. The handler must not have replied, and must return after the call.
    /// </summary>
    /// <typeparam name="T">What a worker answers.</typeparam>
    /// <param name="ask">Called once on each worker. It must not touch the worker's reply buffer.</param>
    /// <param name="answer">Writes the reply, on the session's worker, from the answers by worker number. Not called
    /// when the client has gone meanwhile.</param>
    internal void AskWorkers<T>(Func<ClientWorker, T> ask, Action<ReplyWriter, IReadOnlyList<T>> answer)
        => AskWorkers(ask, goOn: null, answer);

    /// <inheritdoc cref="AskWorkers{T}(Func{ClientWorker, T}, Action{ReplyWriter, IReadOnlyList{T}})"/>
    /// <param name="ask">Begins a worker's answer, on that worker.</param>
    /// <param name="goOn">Goes on with it, on the same worker, in steps between which others have their turn, as long
    /// as it says that there is more.</param>
    /// <param name="answer">Writes the reply.</param>
    internal void AskWorkers<T>(
        Func<ClientWorker, T> ask, Func<T, bool>? goOn, Action<ReplyWriter, IReadOnlyList<T>> answer)
    {
        var round = new WorkerRound<T>(this, Worker.Services, ask, goOn, answer);
        if (IsInTransaction)
        {
            Transaction.Hold(round);
            return;
        }

        IsParked = true;
        round.Start(Worker);
    }

    /// <summary>Parks the session until <see cref="Answer"/>, which whoever calls this sees to. The handler must not
    /// have replied, and must return after the call.</summary>
    internal void AwaitAnswer() => IsParked = true;

    /// <summary>The workers have answered: goes on with the reply the session was parked for, and with its input.
    /// </summary>
    internal void Answer(Action<ReplyWriter> write)
    {
        _answer = write;
        Connection.Resume();
    }

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

    /// <inheritdoc cref="EndCommand(ReplyWriter, int)"/>
    /// <param name="row">The command; null where it was refused.</param>
    /// <param name="reply">Where the reply is.</param>
    /// <param name="start">Where it begins.</param>
    internal void EndCommand(CommandRow? row, ReplyWriter reply, int start)
    {
        // What EXEC's commands answered was taken back, if so wished, one by one.
        var isEnded = row?.Has(CommandFlags.ExecutesQueue) == true && Transaction.HasExecuted;
        EndCommand(reply, isEnded ? reply.Length : start);
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

        if (Tracking is { IsCachingGiven: true } tracking && !Transaction.IsOpen)
        {
            tracking.OnCommandEnded(LastCommand);
            OnTrackingChanged();
        }
    }

    /// <summary>CLIENT TRACKING ON or OFF.</summary>
    internal void Track(TrackingState? tracking)
    {
        var before = Tracking;
        Tracking = tracking;
        if (tracking != null)
        {
            Worker.Tracking.Add(this, tracking);
        }
        else if (before != null)
        {
            Worker.Tracking.Remove(this, before);
        }

        OnTrackingChanged();
    }

    /// <summary>Asks the processor to fetch what leads to a key that a command is about to use, and what is remembered
    /// of it.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void Prefetch(ulong hash)
    {
        Worker.Server.Shards.Of(hash).Index.Prefetch(hash);
        if (RemembersReads)
        {
            Worker.Tracking.Prefetch(hash);
        }
    }

    /// <summary>Something changed that decides what is remembered.</summary>
    internal void OnTrackingChanged()
    {
        RemembersReads = Tracking is { RemembersReads: true };
        UpdatePlain();
    }

    /// <summary>The client has said who it is.</summary>
    internal void BecomeUser(UserSlot user) => SetUser(user, isAuthenticated: true);

    /// <summary>The user may have changed.</summary>
    internal void FollowUser()
    {
        var user = User.Current;
        Restriction = IsOwn || user.AllowsAll ? null : user;
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
        Track(null);
        ResetUser();
    }

    /// <inheritdoc/>
    internal override int Consume(byte* input, int length, ref ParseState state, ArgumentBuffer arguments)
        => Worker.Consume(this, input, length, ref state, arguments);

    /// <inheritdoc/>
    internal override void DropUnfinishedWork()
    {
        Worker.DropUnfinishedWork();
        if (Suspended is { Waits: 0 })
        {
            EndSuspended();
        }

        if (!IsParked)
        {
            Transaction.DropHeld();
        }

        if (Connection.IsClosed)
        {
            Leave();
        }
    }

    /// <inheritdoc/>
    internal override void OnClosed()
    {
        if (IsBlocked && Suspended != null)
        {
            EndSuspended(); // Nothing else that it waited for would come to its end.
        }

        if (IsPaused)
        {
            Worker.Gates.Forget(this);
        }

        Suspended?.OnClientGone();
        Leave();
        _names.Set(0);
        Worker.OnClosed(this);
        OnOutputRoom();
    }

    /// <summary>A client that has gone waits for nothing and is told nothing. What it had sent before is executed
    /// all the same, an EXEC with all in it, and may ask for either.</summary>
    private void Leave()
    {
        EndBlocked();
        if (Suspended == null || Unfinished is not IUnrepeatable)
        {
            EndUnfinished();
        }

        LeaveMonitors();
        LeaveChannels();
        Track(null);
        if (Suspended == null)
        {
            Transaction.End();
        }
    }

    /// <summary>What the session waited for on the device has been read.</summary>
    void IColdReadWaiter.OnColdReads() => EndColdWait();

    /// <inheritdoc/>
    /// <remarks>What a client that has gone had sent is executed all the same.</remarks>
    internal override bool TryContinue()
    {
        if (_answer is { } write)
        {
            _answer = null;
            return TryAnswer(write);
        }

        if (Suspended == null)
        {
            return true;
        }

        Invariant.Check(Suspended.Waits == 0, "a session goes on when all it waits for is there");
        var reply = Worker.Reply;
        var start = reply.Length;
        reply.Protocol = Protocol;
        var isDone = Worker.TryContinue(this, Suspended);
        if (isDone)
        {
            EndSuspended();
        }

        if (Connection.IsClosed)
        {
            // Also of one that waits again: the buffer is all clients'. It may have been dropped between commands.
            reply.Rewind(Math.Min(start, reply.Length));
            if (isDone)
            {
                Leave();
            }
        }

        return isDone;
    }

    /// <summary>Writes the reply that the workers were asked for.</summary>
    /// <returns>False when they have been asked the next question of a transaction; what there is by now is sent all
    /// the same, for the buffer is all clients'.</returns>
    private bool TryAnswer(Action<ReplyWriter> write)
    {
        var (reply, start, isOfTransaction) = (Worker.Reply, Worker.Reply.Length, Transaction.Held != null);
        IsParked = false; // It waits for no worker: what is held may be dropped if memory runs out here.
        reply.Protocol = Protocol;
        if (!Connection.IsClosed)
        {
            write(reply);
        }

        if (isOfTransaction && IsMuted)
        {
            reply.Rewind(start);
        }

        var waitsOn = Transaction.TryGoOn();
        if (Connection.IsClosed)
        {
            reply.Rewind(start);
        }
        else if (!waitsOn)
        {
            EndCommand(reply, isOfTransaction ? reply.Length : start);
        }

        IsParked = waitsOn;
        return !waitsOn;
    }

    /// <summary>MONITOR.</summary>
    internal void BecomeMonitor()
    {
        SetMonitor(true);
        Worker.Services.Gates.AddMonitor(this);
    }

    private void LeaveMonitors()
    {
        if (IsMonitor)
        {
            SetMonitor(false);
            Worker.Services.Gates.RemoveMonitor(this);
            Worker.Services.OnEveryWorker(static worker => worker.Gates.Adopt());
        }
    }

    private void SetMonitor(bool isMonitor)
    {
        _isMonitor = isMonitor;
        UpdatePlain();
    }

    private void LeaveChannels()
    {
        _subscriptions?.RemoveAll();
        UpdatePlain();
    }

    [MemberNotNull(nameof(User))]
    private void ResetUser()
    {
        var users = Worker.Services.Users;
        SetUser(users.Default, IsOwn || !users.AsksForPassword);
    }

    [MemberNotNull(nameof(User))]
    private void SetUser(UserSlot user, bool isAuthenticated)
    {
        User = user;
        Worker.Costs.OnRenamed(this);
        _isAuthenticated = isAuthenticated;
        FollowUser();
        UpdatePlain();
    }

    /// <summary>Something changed that decides how commands are executed.</summary>
    internal void UpdatePlain()
    {
        _isPlain = _isAuthenticated && !_isMonitor && _replyMode == ReplyMode.On && !_skipsNext
            && (Protocol == 3 || !IsSubscriber) && Tracking is not { IsCachingGiven: true };
        _mayRun = _isPlain && !Transaction.IsOpen;
    }

    /// <inheritdoc/>
    private protected override void OnNamed()
    {
        if (!Connection.IsClosed)
        {
            Worker.Costs.OnRenamed(this);
            _names.Set((long)sizeof(char) * (Name.Length + LibraryName.Length + LibraryVersion.Length));
        }
    }
}
