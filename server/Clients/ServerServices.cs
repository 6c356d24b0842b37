using System.IO.Pipelines;
using Strata.Server.Clients.Access;
using Strata.Server.Clients.Costs;
using Strata.Server.Clients.Tracking;
using Strata.Server.Clients.Waiting;
using Strata.Server.Commands.Model;
using Strata.Server.Diagnostics;
using Strata.Server.Diagnostics.Traffic;
using Strata.Server.Diagnostics.Traffic.Curve;
using Strata.Server.Journal;
using Strata.Server.Messaging;
using Strata.Server.Network.Transport.Tls;
using Strata.Server.Notifications;
using Strata.Server.Persistence;
using Strata.Server.Runtime;
using Strata.Server.Scripting;
using Strata.Storage.Census;

namespace Strata.Server.Clients;

/// <summary>What the server offers to its clients' commands beside the data. Any thread.</summary>
public sealed class ServerServices
{
    private readonly ClientWorker[] _workers;
    private volatile bool _isCronPaused;

    /// <summary>What stands around the data.</summary>
    /// <param name="context">The data.</param>
    /// <param name="names">The commands.</param>
    internal ServerServices(ServerContext context, CommandNames names)
    {
        Context = context;
        Names = names;
        _workers = new ClientWorker[context.WorkerCount];
        Users = new UserRegistry(
            new CommandVocabulary(names.All, names.Absent), context.Configuration, context.Shards.Budget);
        UserWorks = new UserWorks(context.Platform);
        AccessLog = new AccessLog(context.Shards.Budget);
        Gates = new ClientGates(context.Shards);
        Messages = new MessageHub(context);
        KeyspaceEvents = new KeyspaceEvents(context, Messages);
        Invalidations = new InvalidationHub(context, Directory);
        Tls = new TlsServer(context);
        Diagnostics = new ServerDiagnostics(context, names.All);
        Shares = new LargestShares(Traffic, Censuses, context.Platform.Clock);
        Curve = new CurveKeeper(context.Shards, context.WorkerCount, CountLookups);
        Journal = new EffectJournal(context.Shards, context.Databases, context.Durability, context.WorkerCount);
        JournalFiles = new JournalService(context, Journal);
        Scripts = new ScriptingServices(context.Shards.Budget, context.WorkerCount);
        Snapshots = new Snapshots(context, Scripts.Functions, action => _workers[0].Post(action));
        Reloads = new Reloads(Snapshots, action => _workers[0].Post(action));
        Rewrites = new JournalRewrites(context, Snapshots, JournalFiles);
    }

    public ServerContext Context { get; }

    /// <summary>Who calls the commands what.</summary>
    public CommandNames Names { get; }

    /// <summary>The commands by the names that clients and scripts may say.</summary>
    public CommandTable Commands => Names.OfClients;

    /// <summary>The counters added up, the slow log and the latency monitor.</summary>
    public ServerDiagnostics Diagnostics { get; }

    /// <summary>Who clients may be, and what they may do.</summary>
    internal UserRegistry Users { get; }

    /// <summary>What takes long with them.</summary>
    internal UserWorks UserWorks { get; }

    /// <summary>How TLS is spoken.</summary>
    internal TlsServer Tls { get; }

    /// <summary>What they were refused.</summary>
    internal AccessLog AccessLog { get; }

    /// <summary>What EVALSHA finds, and which scripts are executed.</summary>
    internal ScriptingServices Scripts { get; }

    /// <summary>Where the effects of commands go.</summary>
    public EffectJournal Journal { get; }

    /// <summary>The files that they go to.</summary>
    internal JournalService JournalFiles { get; }

    /// <summary>What saves the data.</summary>
    internal Snapshots Snapshots { get; }

    /// <summary>What loads the data again.</summary>
    internal Reloads Reloads { get; }

    /// <summary>What rewrites the journal.</summary>
    internal JournalRewrites Rewrites { get; }

    /// <summary>Saves the data before the end.</summary>
    internal LastSnapshot LastSnapshot => new(Context, Snapshots, Loading);

    /// <summary>Whether the data is being loaded.</summary>
    internal LoadingState Loading { get; } = new();

    /// <summary>Whether the workers leave their background work undone, for tests.</summary>
    public bool IsCronPaused
    {
        get => _isCronPaused;
        set => _isCronPaused = value;
    }

    /// <summary>Connects a client of the server itself in this process, which needs no password and
    /// counts for no limit. Any thread.</summary>
    public required Func<IDuplexPipe> ConnectOwn { get; init; }

    /// <summary>The workers, once all are made.</summary>
    public IReadOnlyList<ClientWorker> Workers => _workers;

    /// <summary>What the part of reads that find their key would be with other memory.</summary>
    internal CurveKeeper Curve { get; }

    /// <summary>The keys that clients use most, as all workers have noted them. Any thread.</summary>
    internal HotKeyList HotKeys(HotKeyMeasure measure)
        => new(Traffic, measure, Context.Platform.Clock.GetTimestamp());

    /// <summary>What part of all one key, or one prefix, has. Any thread.</summary>
    internal LargestShares Shares { get; }

    private IEnumerable<KeyTraffic> Traffic => _workers.Select(static worker => worker.Traffic);

    /// <summary>How many keys reads have looked for, and missed, by now. Any thread.</summary>
    private ReadTotals CountLookups()
    {
        var lookups = default(ReadTotals);
        foreach (var worker in _workers)
        {
            lookups.Missed += worker.Statistics.Misses;
            lookups.Lookups += worker.Statistics.Hits + worker.Statistics.Misses;
        }

        return lookups;
    }

    /// <summary>What shards know of their keys by name. Any thread.</summary>
    internal IEnumerable<KeyCensus> Censuses
    {
        get
        {
            for (var i = 0; i < Context.Shards.Count; i++)
            {
                yield return Context.Shards[i].Census;
            }
        }
    }

    /// <summary>What the clients of all workers cost. Any thread.</summary>
    internal IEnumerable<WorkerCosts> Costs => _workers.Select(static worker => worker.Costs);

    /// <summary>Who asks all workers for much.</summary>
    internal RoundTurns Rounds { get; } = new();

    /// <summary>CLIENT PAUSE and the monitors.</summary>
    internal ClientGates Gates { get; }

    /// <summary>The clients by their numbers.</summary>
    internal ClientDirectory Directory { get; } = new();

    /// <summary>Publish and subscribe.</summary>
    internal MessageHub Messages { get; }

    /// <summary>What becomes of keys, for those who subscribe to it.</summary>
    internal KeyspaceEvents KeyspaceEvents { get; }

    /// <summary>What is told to clients that keep what they have read.</summary>
    internal InvalidationHub Invalidations { get; }

    /// <summary>A worker was made.</summary>
    internal void Add(ClientWorker worker) => _workers[worker.Number] = worker;

    /// <summary>Has something done on every worker's thread, some time soon. Any thread.</summary>
    /// <param name="action">What.</param>
    /// <param name="mayRunWithin">Whether it need not wait for slow scripts (<see cref="WorkerContext.PostWithin"/>).
    /// </param>
    internal void OnEveryWorker(Action<ClientWorker> action, bool mayRunWithin = false)
    {
        foreach (var worker in _workers)
        {
            if (mayRunWithin)
            {
                worker.PostWithin(() => action(worker));
            }
            else
            {
                worker.Post(() => action(worker));
            }
        }
    }
}
