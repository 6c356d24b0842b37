using Microsoft.Extensions.Hosting.Internal;
using Microsoft.Extensions.Logging.Abstractions;
using Strata.Server;
using Strata.Server.Commands;
using Strata.Server.Commands.Model;
using Strata.Server.Lifecycle;
using Strata.Server.Options;
using Strata.Storage.Sharding;
using Strata.Storage.Tiering;
using Strata.Tests.Server.Options;
using Strata.Tests.Storage.Devices;

namespace Strata.Tests.Simulation;

/// <summary>A server whose workers take turns on the calling thread, in an order that the plan's seed decides, and all
/// that is around it: clock, device, and who holds leases.</summary>
internal sealed class SimulatedWorld : IDisposable
{
    private const int DiskPatience = 12;

    private readonly SimulationPlan _plan;
    private readonly SimulatedPlatform _platform;
    private readonly SimulatedDevice? _device;
    private readonly Random _random;
    private readonly List<int> _inTurn = [];
    private readonly List<Shard> _held = [];
    private long _time;

    /// <summary>A world at its beginning.</summary>
    /// <param name="plan">What happens in it.</param>
    /// <param name="change">Puts other rows in the place of the server's, to see that bugs are found.</param>
    public SimulatedWorld(SimulationPlan plan, Func<CommandRow, CommandRow>? change = null)
    {
        _plan = plan;
        _platform = new SimulatedPlatform(plan.Seed);
        _random = _platform.CreateRandom();
        _device = plan.HasTier ? new SimulatedDevice(plan.Seed, segmentBytes: 1 << 20) : null;
        var shards = SimulationPlan.Shards.ToString(System.Globalization.CultureInfo.InvariantCulture);
        var workers = plan.Workers.ToString(System.Globalization.CultureInfo.InvariantCulture);
        var memory = plan.Has(SimulationFaults.ShortMemory) ? plan.HasTier ? "256kb" : "400kb" : "100mb";
        var loaded = Loading.Load([
            "--port", "0", "--workers", workers, "--shards", shards, "--storage-tier", plan.HasTier ? "yes" : "no",
            "--maxmemory", memory, "--maxmemory-policy", "noeviction", "--hz", "100"]);
        var lifetime = new ApplicationLifetime(NullLogger<ApplicationLifetime>.Instance);
        var rows = CommandList.Table.Rows.Select(row => Preemptible(change?.Invoke(row) ?? row));
        Server = StrataServer.Create(
            new ConfigurationStore(loaded.Options, null),
            new ServerShutdown(lifetime, NullLogger<ServerShutdown>.Instance),
            NullLogger<StrataServer>.Instance,
            _device,
            _platform,
            new CommandTable([.. rows]));
        foreach (var worker in Server.Workers)
        {
            if (Server.Context.Shards.Tier is { } tier)
            {
                worker.OpenTier(tier);
            }
        }

        _platform.SimulatedClock.Asked = Preempt;
        IsTroubled = true;
    }

    public StrataServer Server { get; }

    /// <summary>What clients sent and received.</summary>
    public List<Operation> History { get; } = [];

    /// <summary>Whether anything goes wrong at all.</summary>
    public bool IsTroubled { get; private set; }

    public Random Random => _random;

    /// <summary>What counts against <c>maxmemory</c> beside the shards: what connections and waiting commands hold.
    /// </summary>
    public long OverheadBytes
    {
        get
        {
            var bytes = Server.Context.Shards.Budget.UsedBytes;
            foreach (var shard in Server.Context.Shards.All)
            {
                var log = shard.Log;
                bytes -= log.PageMemoryBytes + log.RetiredBytes + log.FreeFrameBytes + shard.Index.SizeBytes
                    + shard.GhostBytes + shard.Collections.Heap.SizeBytes;
            }

            return bytes;
        }
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

        TakeTurn(_random.Next(_plan.Workers));
    }

    /// <summary>Ends all that goes wrong.</summary>
    public void Calm()
    {
        IsTroubled = false;
        _device?.Faults.Heal();
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
        foreach (var worker in Server.Workers)
        {
            worker.CloseAll();
        }

        Server.Dispose();
        ColdReadSet.Current = null;
    }

    private void TakeTurn(int number)
    {
        var current = ColdReadSet.Current;
        _inTurn.Add(number);
        Server.Workers[number].Worker.Turn();
        _inTurn.RemoveAt(_inTurn.Count - 1);
        ColdReadSet.Current = current;
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
