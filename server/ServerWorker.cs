using Strata.Server.Clients;
using Strata.Server.Commands.Model;
using Strata.Server.Diagnostics;
using Strata.Server.Execution;
using Strata.Server.Execution.Accounting;
using Strata.Server.Execution.Runs;
using Strata.Server.Execution.Transactions;
using Strata.Server.Execution.Waiting;
using Strata.Server.Lifecycle;
using Strata.Server.Messaging;
using Strata.Server.Network;
using Strata.Server.Network.Transport;
using Strata.Server.Options;
using Strata.Server.Resp;
using Strata.Storage;
using Strata.Storage.Devices;
using Strata.Storage.Runtime;
using Strata.Storage.Sharding;
using Strata.Storage.Tiering;

namespace Strata.Server;

/// <summary>What one worker owns: its loop, the buffers its connections share, their list, and its counters. All of it
/// is touched by the worker's thread alone, except where a member says otherwise.</summary>
public sealed class ServerWorker : IWorkerDuties, IDisposable
{
    private readonly Stack<CommandRun> _runs = new();
    private readonly Stack<DeferredGroup> _groups = new();
    private readonly Stack<TransactionQueue> _transactionQueues = new();
    private readonly Stack<ArgumentBuffer> _argumentBuffers = new();
    private readonly List<Connection> _connections = [];
    private readonly List<Session> _waitingForRoom = [];
    private long _lastCheckMs;
    private CountdownEvent? _drained;

    internal ServerWorker(StrataServer server, int number)
    {
        Server = server;
        Number = number;
        Options = server.Configuration.Current;
        Executor = new CommandExecutor(server, number);
        Reply = new ReplyWriter(Statistics.Errors);
        Context = new CommandContext(server, Reply);
        Run = new CommandRun(server.Shards.Count, Statistics.Errors);
        Worker = new Worker(number, server.Quiescence, this, server.Platform);
        Gates = new WorkerGates(this);
        Messages = new MessageDelivery(this);
        SlowCommands = new SlowCommands(server.Diagnostics, number);
        Cycles = new ShardCycles(server.Shards, number, server.WorkerCount);
        Blocked = new BlockedCommands(Worker);
        RunAccount = new RunAccount(this);
        Account = new CommandAccount(this);
        Transactions = new TransactionExecutor(this);
        Commands = new CommandLoop(this);
    }

    public StrataServer Server { get; }

    public int Number { get; }

    /// <summary>Thread and event loop.</summary>
    public Worker Worker { get; }

    /// <summary>The configuration as of the start of this turn.</summary>
    public ServerOptions Options { get; private set; }

    /// <summary>Counters; any thread may read them.</summary>
    public CommandStatistics Statistics { get; } = new();

    /// <summary>What is told to SLOWLOG and LATENCY of this worker's commands.</summary>
    public SlowCommands SlowCommands { get; }

    /// <summary>Bytes received from clients; any thread may read it.</summary>
    public long ReceivedBytes { get; internal set; }

    /// <summary>Bytes sent to clients; any thread may read it.</summary>
    public long SentBytes { get; internal set; }

    /// <summary>Clients connected to this worker; any thread may read it.</summary>
    public int ConnectionCount => _connections.Count;

    internal IReadOnlyList<Connection> Connections => _connections;

    /// <summary>CLIENT PAUSE and the monitors, as this worker sees them.</summary>
    internal WorkerGates Gates { get; }

    /// <summary>The way of published messages to this worker's subscribers.</summary>
    internal MessageDelivery Messages { get; }

    /// <summary>Whether single-key commands may be gathered into runs.</summary>
    internal bool MayRun { get; private set; }

    /// <summary>What its connections read through.</summary>
    internal InputWindow Input { get; } = new();

    internal ReplyWriter Reply { get; }

    internal ArgumentBuffer Arguments { get; } = new();

    internal CommandContext Context { get; }

    internal CommandExecutor Executor { get; }

    internal CommandLoop Commands { get; }

    internal RunAccount RunAccount { get; }

    /// <summary>The clients' commands that wait for keys.</summary>
    internal BlockedCommands Blocked { get; }

    internal CommandAccount Account { get; }

    internal TransactionExecutor Transactions { get; }

    internal CommandRun Run { get; private set; }

    /// <summary>The background work of the shards whose home the worker is.</summary>
    internal ShardCycles Cycles { get; }

    /// <summary>The worker's way to the device; null where all data stays in memory.</summary>
    internal TierWorker? Tier { get; private set; }

    /// <inheritdoc/>
    public void OnTurn(Worker worker)
    {
        Options = Server.Configuration.Current;
        SlowCommands.Use(Options);
        Context.NowMs = worker.NowMs;
        UpdateMayRun();
        Blocked.OnTurn(worker.NowMs);
        if (Tier != null)
        {
            ColdReadSet.Current = Context.Cold; // Where workers share a thread, another's was left there.
            Tier.Complete(worker.NowMs);
        }
    }

    /// <inheritdoc/>
    public bool OnWait(Worker worker) => Tier == null || Tier.TryPrepareWait();

    /// <summary>Opens the worker's way to the device; on the worker's thread.</summary>
    /// <exception cref="DeviceException">The kernel gives no more queues.</exception>
    internal void OpenTier(Tier tier)
    {
        Tier = new TierWorker(
            tier, Number, Server.Shards.Budget, Worker, exception => OnFault(Worker, exception));
        Tier.RoomMade += ResumeWaiting;
        if (Tier.RegisterErrno != 0)
        {
            Server.Log.BuffersNotRegistered(Number, Tier.RegisterErrno);
        }
    }

    /// <summary>Tells a session when there may be memory for what it waits with.</summary>
    internal void WaitForRoom(Session session)
    {
        _waitingForRoom.Add(session);
        Tier!.WantRoom();
    }

    /// <inheritdoc/>
    public void OnTick(Worker worker, long elapsedMs)
    {
        Gates.OnTick();
        CheckConnections();
        Server.RunShardCycles(this, elapsedMs);
        worker.TickMs = Gates.TickMs(Cycles.PeriodMs(_drained == null ? 1000 / Options.Hz : Limits.DrainTickMs));
        ResumeWaiting();
        SlowCommands.Trim();
        if (Number == 0)
        {
            Server.Diagnostics.Rates.Tick(Server.Platform.Clock.GetTimestamp(), Server);
        }
    }

    /// <inheritdoc/>
    public void OnFault(Worker worker, Exception exception)
    {
        // A handler's error was answered long before it gets here. What does get here left a lease or a list in an
        // unknown state: better to end than to serve from it.
        Server.Log.WorkerFault(Number, exception);
        Server.Shutdown.Fail(ExitCode.Internal, $"Worker {Number} failed by an internal error: {exception.Message}");
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        Worker.Dispose();
        Messages.Dispose();
        Reply.Dispose();
        Arguments.Dispose();
        Run.Dispose();
        Transactions.Dispose();
        Input.Dispose();
    }

    /// <summary>Makes what carries a new client's bytes a connection of this worker.</summary>
    internal void Adopt(ITransport transport, ClientAddress address, long id)
    {
        var connection = new Connection(this, transport, address, id) { ListIndex = _connections.Count };
        _connections.Add(connection);
        if (!connection.TryStart())
        {
            connection.Close();
        }
        else if (_drained != null)
        {
            connection.Drain();
        }
    }

    internal void OnClosed(Connection connection)
    {
        var last = _connections[^1];
        _connections[connection.ListIndex] = last;
        last.ListIndex = connection.ListIndex;
        _connections.RemoveAt(_connections.Count - 1);
        Server.OnClientClosed();
        SignalWhenDrained();
    }

    internal void UpdateMayRun() => MayRun = Options.SgGet && !Gates.AreActive;

    /// <summary>Executes what the clients have sent by now, takes nothing more, and closes each connection when its
    /// replies have arrived; signals when none is left.</summary>
    internal void Drain(CountdownEvent drained)
    {
        _drained = drained;
        Worker.TickMs = Limits.DrainTickMs;
        for (var i = _connections.Count - 1; i >= 0; i--)
        {
            if (i < _connections.Count) // A command executed here may close others.
            {
                _connections[i].Drain();
            }
        }

        SignalWhenDrained();
    }

    /// <summary>Closes all connections, whatever is left to send; after the worker's thread has ended.</summary>
    internal void CloseAll()
    {
        for (var i = _connections.Count - 1; i >= 0; i--)
        {
            _connections[i].Close();
        }
    }

    /// <summary>Forgets what an event that ended early left in the shared buffers.</summary>
    internal void DropUnfinishedWork()
    {
        Reply.Clear();
        Arguments.Clear();
        Run.Clear();
    }

    internal ArgumentBuffer RentArguments() => _argumentBuffers.TryPop(out var buffer) ? buffer : new ArgumentBuffer();

    internal void Return(ArgumentBuffer buffer)
    {
        buffer.Clear();
        _argumentBuffers.Push(buffer);
    }

    internal DeferredGroup RentGroup() => _groups.TryPop(out var group) ? group : new DeferredGroup(this);

    internal void Return(DeferredGroup group)
    {
        group.Clear();
        _groups.Push(group);
    }

    internal TransactionQueue RentTransactionQueue()
        => _transactionQueues.TryPop(out var queue) ? queue : new TransactionQueue(Server.Shards.Budget);

    internal void Return(TransactionQueue queue)
    {
        queue.Clear();
        if (_transactionQueues.Count < Limits.MaxFreeTransactions)
        {
            _transactionQueues.Push(queue);
        }
        else
        {
            queue.Dispose();
        }
    }

    /// <summary>The current run stays with a waiting session; the worker goes on with another.</summary>
    internal void ReplaceRun()
        => Run = _runs.TryPop(out var run) ? run : new CommandRun(Server.Shards.Count, Statistics.Errors);

    internal void Return(CommandRun run)
    {
        run.Clear();
        if (_runs.Count < Limits.MaxFreeRuns)
        {
            _runs.Push(run);
        }
        else
        {
            run.Dispose();
        }
    }

    private void ResumeWaiting()
    {
        // Those that must wait on are added again.
        var count = _waitingForRoom.Count;
        for (var i = 0; i < count; i++)
        {
            _waitingForRoom[i].TryAgain();
        }

        _waitingForRoom.RemoveRange(0, count);
    }

    private void SignalWhenDrained()
    {
        if (_drained != null && _connections.Count == 0)
        {
            _drained.Signal();
            _drained = null;
        }
    }

    /// <summary>Looks after every connection once a second, and on every tick while the server stops.</summary>
    private void CheckConnections()
    {
        if (_drained == null && Math.Abs(Worker.NowMs - _lastCheckMs) < Limits.ConnectionCheckMs)
        {
            return;
        }

        _lastCheckMs = Worker.NowMs;
        for (var i = _connections.Count - 1; i >= 0; i--)
        {
            _connections[i].Check();
        }
    }
}
