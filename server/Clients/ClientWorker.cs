using Strata.Server.Clients.Costs;
using Strata.Server.Clients.Tracking;
using Strata.Server.Clients.Transactions;
using Strata.Server.Clients.Waiting;
using Strata.Server.Diagnostics;
using Strata.Server.Diagnostics.Keyspace;
using Strata.Server.Diagnostics.Traffic;
using Strata.Server.Diagnostics.Traffic.Curve;
using Strata.Server.Messaging;
using Strata.Server.Network;
using Strata.Server.Network.Transport;
using Strata.Server.Network.Transport.Tls;
using Strata.Server.Persistence;
using Strata.Server.Rdb;
using Strata.Server.Resp;
using Strata.Server.Runtime;
using Strata.Storage;
using Strata.Storage.Runtime;

namespace Strata.Server.Clients;

/// <summary>A worker as its clients know it: their list, what they wait for, and what they are told. Worker's thread
/// only, except where a member says otherwise.</summary>
public abstract unsafe class ClientWorker : WorkerContext
{
    private readonly List<Session> _sessions = [];
    private readonly List<WaitingClient> _waitingForRoom = [];
    private readonly List<Session> _stalled = [];
    private int _shortages;
    private long _lastCheckMs;
    private CountdownEvent? _drained;

    internal ClientWorker(ServerServices services, int number)
        : base(services.Context, number)
    {
        Services = services;
        TransactionQueues = new(
            () => new TransactionQueue(Server.Shards.Budget),
            static queue => queue.Clear(),
            ServerLimits.MaxFreeTransactions,
            Budget,
            TransactionQueue.OwnBytes);
        Statistics = new CommandStatistics(services.Names.All);
        Gates = new WorkerGates(this);
        Messages = new MessageDelivery(this, services.Messages);
        Tracking = new WorkerTracking(this, services.Invalidations);
        SlowCommands = new SlowCommands(services.Diagnostics, number);
        var platform = Server.Platform;
        var hotKeys = TrafficLimits.HotKeysPerWorker(Server.WorkerCount);
        Traffic = new KeyTraffic(platform.CreateRandom(), hotKeys, platform.Clock.GetTimestamp());
        Sampler = services.Curve[number];
        Costs = new WorkerCosts(TrafficLimits.OwnersPerWorker(Server.WorkerCount));
        Blocked = new BlockedCommands(Worker);
        Dumps = new DumpWriter(Budget);
        Tls = new TlsEngine(Budget);
        services.Add(this);
        services.Diagnostics.Add(new WorkerCounters(this, Statistics, Peaks));
    }

    /// <summary>What the server offers beside the data.</summary>
    public ServerServices Services { get; }

    /// <summary>Counters; any thread may read them.</summary>
    public CommandStatistics Statistics { get; }

    /// <summary>The greatest turns of the loop; any thread may read them.</summary>
    public TurnPeaks Peaks { get; } = new();

    /// <summary>What is told to SLOWLOG and LATENCY of this worker's commands.</summary>
    public SlowCommands SlowCommands { get; }

    /// <summary>What is noted of the keys that this worker's clients use.</summary>
    internal KeyTraffic Traffic { get; }

    /// <summary>What is drawn of them for the miss-ratio curve.</summary>
    internal CurveSampler Sampler { get; }

    /// <summary>What this worker's clients cost.</summary>
    internal WorkerCosts Costs { get; }

    /// <summary>Clients connected to this worker; any thread may read it.</summary>
    public int ConnectionCount => _sessions.Count;

    /// <summary>Those of them that watch keys; any thread may read it.</summary>
    public int Watchers { get; internal set; }

    /// <summary>Those of them whose command waits for a key, a time, or the end of CLIENT PAUSE; any thread may read
    /// it.</summary>
    public int BlockedClients => Blocked.Count + Gates.WaitingCount;

    /// <summary>What they take; any thread may read it.</summary>
    public ClientMemory ClientMemory { get; } = new();

    /// <summary>Whose report of keys by name it makes.</summary>
    internal ReportTurn ReportTurn { get; } = new();

    /// <summary>The clients.</summary>
    internal IReadOnlyList<Session> Sessions => _sessions;

    /// <summary>CLIENT PAUSE and the monitors, as this worker sees them.</summary>
    internal WorkerGates Gates { get; }

    /// <summary>The way of published messages to this worker's subscribers.</summary>
    internal MessageDelivery Messages { get; }

    /// <summary>What this worker's clients have read and may have kept.</summary>
    internal WorkerTracking Tracking { get; }

    /// <summary>The clients' commands that wait for keys.</summary>
    internal BlockedCommands Blocked { get; }

    /// <summary>What those have in common who speak TLS.</summary>
    internal TlsEngine Tls { get; }

    /// <summary>What writes payloads of DUMP.</summary>
    internal DumpWriter Dumps { get; }

    /// <summary>What clients queue between MULTI and EXEC.</summary>
    internal Pool<TransactionQueue> TransactionQueues { get; }

    /// <summary>Whether single-key commands may be gathered into runs.</summary>
    internal bool MayRun { get; private set; }

    /// <summary>The same of those that repeat what stands in the journal.</summary>
    internal bool MayRunLoader { get; private set; }

    /// <summary>Executes transactions.</summary>
    internal abstract ITransactionExecutor Transactions { get; }

    /// <summary>Executes scripts.</summary>
    internal abstract IScriptExecutor Scripts { get; }

    /// <summary>Executes functions.</summary>
    internal abstract IFunctionExecutor Functions { get; }

    /// <summary>Collects the garbage that scripts and functions have left here, where it is worth it.</summary>
    internal void CollectScripts()
    {
        Scripts.Collect();
        Functions.Collect();
    }

    /// <summary>Whether the server stops: what the clients have sent by now is executed, and nothing more.</summary>
    protected bool IsDraining => _drained != null;

    /// <summary>What <see cref="ConnectedClient.Consume"/> does, for a session of this worker.</summary>
    internal abstract int Consume(
        Session session, byte* input, int length, ref ParseState state, ArgumentBuffer arguments);

    /// <summary>What <see cref="SuspendedWork.TryContinue"/> does, for a session of this worker.</summary>
    internal abstract bool TryContinue(Session session, SuspendedWork work);

    /// <inheritdoc cref="ConnectedClient.DropUnfinishedWork"/>
    internal abstract void DropUnfinishedWork();

    /// <summary>Makes what carries a new client's bytes a connection of this worker.</summary>
    /// <param name="transport">What carries them.</param>
    /// <param name="address">Where they come from.</param>
    /// <param name="id">The client's number.</param>
    /// <param name="origin">Whose it is.</param>
    internal void Adopt(ITransport transport, ClientAddress address, long id, ClientOrigin origin)
    {
        var connection = new Connection(
            this, transport, address, taken => new Session(this, taken, id, origin));
        var session = (Session)connection.Client;
        session.ListIndex = _sessions.Count;
        _sessions.Add(session);
        Services.Directory.Add(session);
        Budget.Charge(ServerLimits.BytesPerClient);
        if (!connection.TryStart())
        {
            connection.Close();
        }
        else if (IsDraining)
        {
            connection.Drain();
        }
    }

    /// <summary>A client has gone.</summary>
    internal void OnClosed(Session session)
    {
        var last = _sessions[^1];
        _sessions[session.ListIndex] = last;
        last.ListIndex = session.ListIndex;
        _sessions.RemoveAt(_sessions.Count - 1);
        Services.Directory.Remove(session);
        Costs.OnClosed(session);
        Budget.Charge(-ServerLimits.BytesPerClient);
        Services.Diagnostics.Clients.OnClosed();
        SignalWhenDrained();
    }

    /// <summary>Tells a client when there may be memory for what it waits with.</summary>
    internal void WaitForRoom(WaitingClient client)
    {
        _waitingForRoom.Add(client);
        Tier?.WantRoom();
        Worker.TickMs = RoomTickMs(Worker.TickMs); // Of what becomes free by itself nobody tells.
    }

    /// <summary>Something changed that decides whether commands are gathered into runs.</summary>
    internal void UpdateMayRun()
    {
        MayRunLoader = Options.SgGet && !Gates.AreActive && !Services.Scripts.IsAnySlow
            && Services.Snapshots.Gate == WriteGate.Open;
        MayRun = MayRunLoader && !Services.Loading.IsLoading;
    }

    /// <summary>Executes what the clients have sent by now, takes nothing more, and closes each connection when its
    /// replies have arrived; signals when none is left.</summary>
    internal void Drain(CountdownEvent drained)
    {
        _drained = drained;
        Worker.TickMs = ServerLimits.DrainTickMs;
        for (var i = _sessions.Count - 1; i >= 0; i--)
        {
            if (i < _sessions.Count) // A command executed here may close others.
            {
                _sessions[i].Connection.Drain();
            }
        }

        SignalWhenDrained();
    }

    /// <summary>Closes all connections, whatever is left to send; after the worker's thread has ended, or on it.
    /// </summary>
    /// <param name="executing">A client that is left: it is in the midst of a command.</param>
    internal void CloseAll(Session? executing = null)
    {
        for (var i = _sessions.Count - 1; i >= 0; i--)
        {
            if (_sessions[i] != executing)
            {
                _sessions[i].Connection.Close();
            }
        }
    }

    /// <summary>Milliseconds to the next tick: the usual ones, or fewer while sessions wait for memory.</summary>
    protected int RoomTickMs(int usualMs)
        => _waitingForRoom.Count > 0 || Tier is { AwaitsRoom: true } ? Math.Min(usualMs, Limits.RoomTickMs) : usualMs;

    /// <summary>Lets the sessions try again that wait for memory.</summary>
    protected void ResumeWaiting()
    {
        // Those that must wait on are added again.
        var count = _waitingForRoom.Count;
        for (var i = 0; i < count; i++)
        {
            var client = _waitingForRoom[i];
            if (client.TryMakeRoom(Worker.NowMs))
            {
                client.OnWaitEnded();
            }
            else
            {
                WaitForRoom(client);
            }
        }

        _waitingForRoom.RemoveRange(0, count);
    }

    /// <summary>Looks after every connection once a second, and on every tick while the server stops.</summary>
    protected void CheckConnections()
    {
        if (!IsDraining && Math.Abs(Worker.NowMs - _lastCheckMs) < ServerLimits.ConnectionCheckMs)
        {
            return;
        }

        _lastCheckMs = Worker.NowMs;
        ClientMemory.Begin();
        Costs.BeginRound();
        for (var i = _sessions.Count - 1; i >= 0; i--)
        {
            var session = _sessions[i];
            var connection = session.Connection;
            ClientMemory.Add(connection.PendingCapacityBytes, connection.OutputCapacityBytes, session.MemoryBytes);
            Costs.Charge(session);
            connection.Check();
            if (connection is { IsClosed: false, Output.IsEmpty: false } && connection.LookForStall()
                && !session.NoEvict)
            {
                _stalled.Add(session);
            }
        }

        ClientMemory.End();
        CloseStalled();
    }

    /// <summary>While memory is at its end and others need some, closes clients that have stopped to read, those first
    /// for whom most waits: as Redis evicts clients (maxmemory-clients), but none that reads.</summary>
    private void CloseStalled()
    {
        var isNeeded = _shortages != Budget.Shortages;
        _shortages = Budget.Shortages;
        if (isNeeded && _stalled.Count > 0)
        {
            _ = Budget.Buffers.ReleaseIdle(); // Before clients go for them.
            _stalled.Sort(static (a, b) => b.Connection.Output.Length.CompareTo(a.Connection.Output.Length));
            foreach (var session in _stalled)
            {
                var unreadBytes = session.Connection.Output.Length;
                if (unreadBytes <= ServerLimits.FreelyHeldBytes || !Budget.IsShort)
                {
                    break;
                }

                Server.Log.StalledClientClosed(session.Id, session.Connection.Address.ToString(), unreadBytes);
                OutputLimitsPassed++;
                session.Connection.Close();
            }
        }

        _stalled.Clear();
    }

    /// <inheritdoc/>
    protected override void Dispose(bool disposing)
    {
        base.Dispose(disposing);
        Messages.Dispose();
        Tracking.Dispose();
        Tls.Dispose();
        TransactionQueues.Dispose();
        Dumps.Dispose();
    }

    private void SignalWhenDrained()
    {
        if (_drained != null && _sessions.Count == 0)
        {
            _drained.Signal();
            _drained = null;
        }
    }
}
