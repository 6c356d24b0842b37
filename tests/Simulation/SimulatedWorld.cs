using Strata.Server;
using Strata.Server.Commands.Model;
using Strata.Storage.Sharding;
using Strata.Tests.Server;
using Strata.Tests.Server.Changes;
using Strata.Tests.Server.Options;
using Strata.Tests.Storage.Devices;
using Strata.Tests.Storage.Sharding;
using Strata.Tests.Support;

namespace Strata.Tests.Simulation;

/// <summary>A server whose workers take turns on the calling thread, in an order that the plan's seed decides, and all
/// that is around it: clock, device, and who holds leases.</summary>
internal sealed class SimulatedWorld : IDisposable
{
    private const int DiskPatience = 12;
    private const int AuditPatience = 150;
    private const long AmpleBytes = 100 << 20;

    // The author of what is in the history though no client sent it.
    private const int ServerItself = -1;

    // Kilobytes, of which most is what connections and the index take; each worker's state of Lua comes on top.
    private const int ShortOnTier = 256;
    private const int ShortOfScripts = 230;
    // With these a collection of two elements is large.
    private static readonly string[] s_smallCollections =
    [
        "--hash-max-listpack-entries", "1", "--set-max-listpack-entries", "1", "--set-max-intset-entries", "1",
        "--list-max-listpack-size", "1", "--zset-max-listpack-entries", "1",
    ];

    private static readonly int[] s_short = [150, 200, 250, 400];

    private readonly TemporaryDirectory _folder = new();
    private readonly SimulationPlan _plan;
    private readonly SimulatedPlatform _platform;
    private readonly SimulatedDevice? _device;
    private readonly Random _random;
    private readonly List<int> _inTurn = [];
    private readonly List<Shard> _held = [];
    private readonly SimulatedThread[] _threads;
    private readonly LeaseWitness _leases;
    private long _time;

    /// <summary>A world at its beginning.</summary>
    /// <param name="plan">What happens in it.</param>
    /// <param name="device">Where data goes if the plan has a tier; null for a new device.</param>
    /// <param name="change">Puts other rows in the place of the server's, to see that bugs are found.</param>
    public SimulatedWorld(
        SimulationPlan plan, SimulatedDevice? device = null, Func<CommandRow, CommandRow>? change = null)
    {
        _plan = plan;
        _platform = new SimulatedPlatform(plan.Seed);
        _random = _platform.CreateRandom();
        _device = plan.HasTier ? device ?? NewDevice(plan) : null;
        var shards = SimulationPlan.Shards.ToString(System.Globalization.CultureInfo.InvariantCulture);
        var workers = plan.Workers.ToString(System.Globalization.CultureInfo.InvariantCulture);
        var least = (plan.HasTier ? ShortOnTier : s_short[plan.Seed % 4])
            + (plan.UsesScripts ? plan.Workers * ShortOfScripts : 0);
        var memory = plan.Has(SimulationFaults.ShortMemory) ? $"{least}kb" : "100mb";
        Server = UnstartedServer.Create(
            [
                "--port", "0", "--workers", workers, "--shards", shards, "--storage-tier", plan.HasTier ? "yes" : "no",
                "--dir", _folder.Path, "--maxmemory", memory, "--maxmemory-policy", plan.Policy, "--hz", "100",
                .. plan.MakesSmallSteps ? s_smallCollections : [],
                .. plan.HasStreams ? (string[])["--stream-node-max-entries", "3"] : [],
            ],
            _device == null ? null : new LastingDevice(_device),
            _platform,
            row => Preemptible(change?.Invoke(row) ?? row));
        UnstartedServer.OpenTier(Server);
        if (plan.MakesSmallSteps)
        {
            Server.Context.EffortAtOnce = 1;
        }

        if (Server.Context.Shards.Tier is { } tier && plan.Seed % 4 != 0)
        {
            // A few small records, or one large one: reads wait for each other, and runs come in parts.
            tier.MostColdBytes = 6_000;
            tier.ColdPartBytes = 4_000;
        }

        foreach (var shard in plan.IsWitnessed ? Server.Context.Shards.All : [])
        {
            shard.Changes.Add(new ChangeWitness(this, shard));
        }

        if (plan.IsWitnessed)
        {
            _ = new TransactionWitness(Server.Context.Shards, () => _inTurn.LastOrDefault(-1), Fail);
        }

        // A worker that waits for others stands in the midst of its turn.
        _threads = plan.Workers == 1 || !plan.UsesScripts
            ? []
            : [.. Server.Workers.Select(worker => new SimulatedThread(() => worker.Worker.Turn()))];
        _leases = new LeaseWitness(Server, History, Fail);
        _platform.LeaseAwaited = _leases.OnAwaited;
        _platform.OthersAwaited = AwaitOthers;
        _platform.SimulatedClock.Asked = Preempt;
        IsTroubled = true;
    }

    public StrataServer Server { get; }

    /// <summary>What clients sent and received.</summary>
    public List<Operation> History { get; } = [];

    /// <summary>Times a worker has waited for others in the midst of its turn.</summary>
    public int Waits { get; private set; }

    /// <summary>Times a script has waited for one of the few leases that it may wait for.</summary>
    public int NarrowWaits => _leases.NarrowWaits;

    /// <summary>Whether anything goes wrong at all.</summary>
    public bool IsTroubled { get; private set; }

    public Random Random => _random;

    /// <summary>The clock, milliseconds since 1970.</summary>
    public long NowMs => _platform.SimulatedClock.NowMs;

    /// <summary>The first thing that was not as it must be; null while there is none.</summary>
    public string? Fault { get; private set; }

    /// <summary>The device that a plan's world begins with.</summary>
    public static SimulatedDevice NewDevice(SimulationPlan plan) => new(plan.Seed, segmentBytes: 1 << 20);

    /// <summary>Notes what is not as it must be.</summary>
    public void Fail(string what) => Fault ??= what;

    /// <summary>Notes that the server has just taken a key away to make room.</summary>
    /// <param name="key">The key.</param>
    /// <param name="database">Its database, by the shards' number.</param>
    /// <param name="wasExpired">Whether its time, or that of all it holds, may have come.</param>
    public void NoteEviction(string key, byte database, bool wasExpired)
    {
        var number = $"{Server.Context.Databases.LogicalOf(database)}";
        string[] command = [KeyspaceModel.Evicted, key, number];
        var request = SimulatedRequest.Of(wasExpired ? [.. command, "expired"] : command);
        var eviction = new Operation(ServerItself, request, NextTime(), NowMs);
        eviction.Return(new RespValue(RespKind.SimpleString, "OK"u8.ToArray()), NextTime(), NowMs);
        History.Add(eviction);
    }

    /// <summary>The next moment of the history.</summary>
    public long NextTime() => ++_time;

    /// <summary>Lets something happen.</summary>
    public void Step()
    {
        if (_random.Next(4) == 0)
        {
            _platform.SimulatedClock.AdvanceMs(1 + _random.Next(3));
        }

        if (_plan.Has(SimulationFaults.HeldLeases) && _plan.Workers > 1)
        {
            VaryLeases();
        }

        if (_device != null && _random.Next(DiskPatience) == 0)
        {
            VaryDisk(_device);
        }

        if (_random.Next(AuditPatience) == 0)
        {
            AuditIfFree();
        }

        TakeTurn(_random.Next(_plan.Workers));
    }

    /// <summary>Counts all shards again, whose leases must be free.</summary>
    public void Audit()
    {
        foreach (var shard in Server.Context.Shards.All)
        {
            if (ShardAudit.FirstFault(shard, NowMs) is { } fault)
            {
                Fail(fault);
            }
        }
    }

    /// <summary>Ends all that goes wrong.</summary>
    public void Calm()
    {
        IsTroubled = false;
        _device?.Faults.Heal();
        // Where nothing may go, all would be refused for ever; and where something may, if pools and connections alone
        // took all there is.
        var budget = Server.Context.Shards.Budget;
        budget.LimitBytes = _device == null
            ? AmpleBytes
            : Math.Max(budget.LimitBytes, MemoryAccount.OfPools(Server) + (ShortOnTier << 10));

        foreach (var shard in _held)
        {
            shard.Lease.Release();
        }

        _held.Clear();
    }

    /// <summary>Lets every worker take a turn, and some time pass.</summary>
    public void Round()
    {
        _platform.SimulatedClock.AdvanceMs(2);
        for (var i = 0; i < _plan.Workers; i++)
        {
            TakeTurn(i);
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _platform.SimulatedClock.Asked = null;
        Calm();
        while (Array.Exists(_threads, thread => thread.IsParked))
        {
            Round();
        }

        foreach (var thread in _threads)
        {
            thread.Dispose();
        }

        foreach (var worker in Server.Workers)
        {
            worker.CloseAll();
        }

        Server.Dispose();
        _folder.Dispose();
    }

    private void AwaitOthers()
    {
        Waits++;
        _threads[_inTurn[^1]].Park();
    }

    private void TakeTurn(int number)
    {
        _inTurn.Add(number);
        if (_threads.Length == 0)
        {
            Server.Workers[number].Worker.Turn();
        }
        else
        {
            _threads[number].Go();
        }

        _inTurn.RemoveAt(_inTurn.Count - 1);
    }

    private CommandRow Preemptible(CommandRow row)
    {
        var handler = row.Handler;
        return row.Keys.AreKeys && _plan.Has(SimulationFaults.Preemption)
            ? row.With(context =>
            {
                Preempt();
                handler(context);
                Preempt();
            })
            : row;
    }

    /// <summary>Where another thread could come between, now and then another worker takes its turn.</summary>
    private void Preempt()
    {
        if (!IsTroubled || !_plan.Has(SimulationFaults.Preemption) || _inTurn.Count is 0 or > 3 || _random.Next(6) != 0)
        {
            return;
        }

        var number = _random.Next(_plan.Workers);
        if (!_inTurn.Contains(number))
        {
            TakeTurn(number);
        }
    }

    /// <summary>Counts all shards again under all their leases, unless some are taken.</summary>
    private void AuditIfFree()
    {
        var taken = 0;
        var shards = Server.Context.Shards.All;
        while (taken < shards.Length && shards[taken].Lease.TryAcquire())
        {
            taken++;
        }

        if (taken == shards.Length)
        {
            Audit();
        }

        foreach (var shard in shards[..taken])
        {
            shard.Lease.Release();
        }
    }

    private void VaryLeases()
    {
        var shard = Server.Context.Shards[_random.Next(SimulationPlan.Shards)];
        if (_held.Remove(shard))
        {
            shard.Lease.Release();
        }
        else if (_random.Next(3) == 0 && shard.Lease.TryAcquire())
        {
            _held.Add(shard);
        }
    }

    private void VaryDisk(SimulatedDevice device)
    {
        device.Faults.Heal();
        if (_plan.Has(SimulationFaults.SlowDisk) && _random.Next(2) == 0)
        {
            device.Faults.DelayRate = device.Faults.ReorderRate = 0.7;
        }

        if (_plan.Has(SimulationFaults.FailingDisk) && _random.Next(2) == 0)
        {
            device.Faults.ReadErrorRate = device.Faults.WriteErrorRate = device.Faults.ShortReadRate = 0.25;
            device.Faults.BitFlipRate = 0.1;
        }
    }
}
