using System.Security.Cryptography;
using System.Text;
using Strata.Server.Commands.Model;
using Strata.Server.Lifecycle;
using Strata.Storage.Leases;
using Strata.Tests.Simulation.Streams;
using Strata.Tests.Storage.Devices;

namespace Strata.Tests.Simulation;

/// <summary>One run of a plan: trouble while the clients do what they do, then calm until all are answered, then a look
/// at all keys, then everybody goes; and what was not as it must be.</summary>
internal sealed class SimulationRun : IDisposable
{
    private const int TroubledSteps = 6000;
    private const int CalmRounds = 300;
    private const int RoundsOfMessages = 20;
    private const int MostRescues = 40;
    private const int MostStepsBeforePowerCut = 1000;

    // What cannot be decided after so many seldom can after ten times as many, each of which takes longer.
    private const int MostStatesOfStreams = 20_000;

    private static readonly string[][] s_trackingModes = [["ON"], ["ON", "BCAST"], ["ON", "OPTOUT"]];

    private readonly SimulationPlan _plan;
    private readonly SimulatedWorld _world;
    private readonly List<SimulatedClient> _clients;
    private readonly List<SimulatedTracker> _trackers;
    private readonly JournalReplay? _journal;
    private int _further;
    private int _steps;

    private SimulationRun(
        SimulationPlan plan, SimulatedDevice device, Func<CommandRow, CommandRow>? change, int rewriteLoses = 0)
    {
        _plan = plan;
        _world = new SimulatedWorld(plan, device, change);
        _journal = plan.IsJournaled ? new JournalReplay(_world.Server, device, rewriteLoses) : null;
        _clients = [.. plan.Clients.Select((script, i) => new SimulatedClient(_world, i, script))];
        _trackers = [.. s_trackingModes.Take(plan.HasTrackers ? s_trackingModes.Length : 0)
            .Select((mode, i) => new SimulatedTracker(_world, plan, i, mode))];
    }

    /// <summary>Makes a run.</summary>
    /// <param name="plan">What happens in it.</param>
    /// <param name="change">Puts other rows in the place of the server's, to see that bugs are found.</param>
    /// <param name="rewriteLoses">How many batches behind a rewrite's moment are forgotten, for the same.</param>
    public static SimulationOutcome Of(
        SimulationPlan plan, Func<CommandRow, CommandRow>? change = null, int rewriteLoses = 0)
    {
        using var device = SimulatedWorld.NewDevice(plan);
        var before = plan.Has(SimulationFaults.PowerCut) ? UntilPowerCut(plan, device, change) : null;
        if (before?.Failure != null)
        {
            return before;
        }

        using var run = new SimulationRun(plan, device, change, rewriteLoses);
        var outcome = run.Outcome(run.Execute());
        return before == null
            ? outcome
            : outcome with
            {
                HistoryHash = before.HistoryHash + outcome.HistoryHash,
                Operations = before.Operations + outcome.Operations,
                Waits = before.Waits + outcome.Waits,
                NarrowWaits = before.NarrowWaits + outcome.NarrowWaits,
                Told = before.Told + outcome.Told,
                IsUndecided = before.IsUndecided || outcome.IsUndecided,
            };
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _journal?.Dispose();
        _world.Dispose();
    }

    /// <summary>The life of a server that ends in the midst of what it does: with the power, when of what is being
    /// written anything may be on the device, or alone, when the device does what it was asked for. What clients had
    /// seen by then must be right, and nobody may be left who is told by the device.</summary>
    private static SimulationOutcome UntilPowerCut(
        SimulationPlan plan, SimulatedDevice device, Func<CommandRow, CommandRow>? change)
    {
        SimulationOutcome outcome;
        using (var run = new SimulationRun(plan, device, change))
        {
            var random = run._world.Random;
            for (var steps = random.Next(MostStepsBeforePowerCut); steps > 0; steps--)
            {
                run.Step();
            }

            if (random.Next(2) == 0)
            {
                device.Crash();
            }

            outcome = run.Outcome(run._world.Fault);
        }

        device.Faults.Heal();
        return device.Queues == 0 ? outcome : outcome with { Failure = "The device still knows a server that is gone" };
    }

    private SimulationOutcome Outcome(string? failure)
    {
        var operations = _world.History;
        var told = _trackers.Sum(tracker => tracker.Told);
        var hash = Convert.ToHexString(SHA256.HashData(Encoding.UTF8.GetBytes(string.Join('\n', operations))));
        if (failure != null)
        {
            return new SimulationOutcome(
                failure, hash, operations.Count, IsUndecided: false, _world.Waits, _world.NarrowWaits, told);
        }

        var checker = new LinearizabilityChecker(
            operations, _plan.Has(SimulationFaults.ShortMemory | SimulationFaults.FailingDisk),
            _plan.HasStreams ? MostStatesOfStreams : LinearizabilityChecker.UsualStates);
        var isOrdered = checker.TryOrder();
        return new SimulationOutcome(
            isOrdered || checker.IsUndecided
                ? null
                : $"No serial execution gives these replies: {checker.Obstacle}\nThe history:\n"
                    + string.Join('\n', operations),
            hash, operations.Count, checker.IsUndecided, _world.Waits, _world.NarrowWaits, told);
    }

    private void Step()
    {
        if (_steps++ == _plan.RewriteAt)
        {
            _journal!.BeginRewrite(_plan.RewritesAs);
        }

        _world.Step();
        _clients[_world.Random.Next(_clients.Count)].Act(_world.Random);
        if (_trackers.Count > 0)
        {
            _trackers[_world.Random.Next(_trackers.Count)].Act();
        }
    }

    private string? Execute()
    {
        for (var step = 0; step < TroubledSteps && !_clients.All(client => client.IsDone); step++)
        {
            Step();
        }

        _world.Calm();
        for (var rescues = 0; !TryFinish(); rescues++)
        {
            if (rescues == 0 && FirstForgotten() is { } forgotten)
            {
                return forgotten;
            }

            if (rescues == MostRescues)
            {
                return $"Somebody waits for ever: {string.Join('\n', _world.History.Where(IsAwaited))}\n"
                    + MemoryAccount.Describe(_world.Server);
            }

            // Who waits for a list is served, or for a stream.
            Add([.. _plan.Keys.SelectMany(key => AwaitedData.Rescue(key, rescues, _plan.HasStreams))]);
        }

        if (FirstStale() is { } stale)
        {
            return stale;
        }

        if (_journal?.AwaitRewrite(_world.Round, _plan.Has(SimulationFaults.FailingDisk)) is { } fault)
        {
            return fault;
        }

        if (_clients.Any(client => client.IsClosed))
        {
            Settle(); // What those who have gone had begun is executed all the same.
        }

        _journal?.End();
        Add(InBothDatabases([.. _plan.Keys.SelectMany(Questions),
            SimulatedRequest.Of("HGETALL", ScriptGenerator.ExpiringHash)]));
        return !TryFinish() ? "The last look at the keys is not answered"
            : Replay() ?? End();
    }

    /// <summary>What clients keep when nothing happens any more must be what is there. To look may be what finds that a
    /// key has expired, of which they are told then.</summary>
    private string? FirstStale()
    {
        var readers = _trackers.Select((_, i) => new SimulatedTracker(_world, _plan, i, "OFF")).ToList();
        var pairs = _trackers.Zip(readers).ToList();
        foreach (var (tracker, reader) in pairs)
        {
            reader.ReadAgain(tracker);
        }

        _trackers.AddRange(readers);
        if (!TryFinish([]))
        {
            return "The look at what clients keep is not answered";
        }

        RoundsOfTrackers();
        var stale = pairs.Select(pair => pair.First.FirstStale(pair.Second)).FirstOrDefault(stale => stale != null);
        return stale == null ? null : $"A client is not told of a change: {stale}";
    }

    /// <summary>Lets what is on its way to those who keep something arrive.</summary>
    private void RoundsOfTrackers()
    {
        for (var round = 0; round < RoundsOfMessages; round++)
        {
            _world.Round();
            _trackers.ForEach(tracker => tracker.Act());
        }
    }

    /// <summary>What the journal was told must make another server what this one is. It is told nothing more.</summary>
    private string? Replay()
    {
        var last = _world.History.FindAll(IsLast);
        var difference = _journal?.FirstDifference(last);
        _journal?.Dispose();
        return difference;
    }

    private static IReadOnlyList<SimulatedRequest> InBothDatabases(IReadOnlyList<SimulatedRequest> requests)
        => [.. requests, SimulatedRequest.Of(ScriptGenerator.Exchange), .. requests];

    private IEnumerable<SimulatedRequest> Questions(string key)
    {
        string[][] questions = [["GET", key], ["LRANGE", key, "0", "-1"], ["SMEMBERS", key], ["HGETALL", key]];
        var mayBeStream = _plan.HasStreams && (StreamCommands.Keys.Contains(key) || key == StreamCommands.OtherKey);
        return questions.Concat(mayBeStream ? StreamCommands.Questions(key) : []).Select(SimulatedRequest.Of);
    }

    /// <summary>Whether it is what was added last.</summary>
    private bool IsLast(Operation operation) => operation.Client == _plan.Clients.Count + _further - 1;

    private bool IsAwaited(Operation operation)
        => !operation.IsAnswered && !_clients[operation.Client].IsClosed;

    /// <summary>Somebody who waits for what is there; null where nobody does.</summary>
    private string? FirstForgotten()
    {
        var waits = _world.History.Where(IsAwaited).DistinctBy(operation => operation.Client)
            .Where(wait => !AwaitedData.MayBeUntold(wait, _world.History)).ToList();
        Add([.. waits.SelectMany(wait => AwaitedData.Questions(wait.Request))]);
        return !TryFinish(_clients[^1..]) ? "The look at what is waited for is not answered"
            : _world.History.Where(IsLast).FirstOrDefault(AwaitedData.IsThere) is { } found
                ? $"Somebody waits for what is there: {found}\n{string.Join('\n', waits)}"
            : null;
    }

    private void Add(IReadOnlyList<SimulatedRequest> batch)
    {
        _further++;
        _clients.Add(new SimulatedClient(_world, _plan.Clients.Count + _further - 1, new ClientScript([batch], false)));
    }

    private bool TryFinish() => TryFinish(_clients);

    private bool TryFinish(List<SimulatedClient> clients)
    {
        for (var round = 0; round < CalmRounds && !AreDone(); round++)
        {
            _world.Round();
            foreach (var client in _clients)
            {
                client.Act(_world.Random);
            }

            _trackers.ForEach(tracker => tracker.Act());
        }

        return AreDone();

        bool AreDone() => clients.All(client => client.IsDone) && _trackers.All(tracker => tracker.IsDone);
    }

    /// <summary>All keys are deleted and everybody goes: nothing of either may be left.</summary>
    private string? End()
    {
        Add(InBothDatabases([.. _plan.Keys.Select(key => SimulatedRequest.Of("DEL", key)),
            .. ScriptGenerator.Members.Select(
                field => SimulatedRequest.Of("HDEL", ScriptGenerator.ExpiringHash, field))]));
        if (!TryFinish())
        {
            return "The deletion of all keys is not answered";
        }

        LeaveAll();
        if ((FirstOfClients() ?? FirstOfKeys() ?? FirstOfMemory()) is { } left)
        {
            return left;
        }

        Add([SimulatedRequest.Of("FLUSHALL")]);
        if (!TryFinish())
        {
            return "FLUSHALL is not answered";
        }

        LeaveAll();
        return FirstOfKeys() ?? FirstOfMemory() ?? FirstSinceStart();
    }

    private void LeaveAll()
    {
        foreach (var client in _clients)
        {
            client.Close();
        }

        _trackers.ForEach(tracker => tracker.Close());
        Settle();
    }

    private void Settle()
    {
        for (var round = 0; round < CalmRounds; round++)
        {
            _world.Round();
        }
    }

    private string? FirstOfClients()
    {
        var server = _world.Server;
        var shards = server.Context.Shards.All.ToArray();
        var clients = server.Services.Diagnostics.Clients;
        return server.Context.Shutdown.ExitCode != ExitCode.Ok ? "A worker failed"
            : clients.Connected != 0 ? $"{clients.Connected} clients are left"
            : server.Workers.Any(worker => worker.Blocked.Count > 0) ? "Commands that block are left"
            : shards.Any(shard => !ShardLease.IsFree(shard.Lease.ReadVersion())) ? "A lease is taken"
            : shards.Any(shard => shard.Waits.Count > 0 || shard.Watches.Count > 0) ? "Interests are left"
            : server.Workers.Any(worker => worker.Tier is { InFlight: > 0 }) ? "Requests to the device are left"
            : server.Workers.Any(worker => worker.Tier is { Tasks: > 0 }) ? "Tasks of the tier are left"
            : MemoryAccount.FirstLent(server);
    }

    private string? FirstOfKeys()
    {
        _world.Audit();
        return _world.Fault
            ?? _world.Server.Context.Shards.All.ToArray()
                .Select(MemoryAccount.FirstLeft)
                .FirstOrDefault(left => left != null);
    }

    private string? FirstOfMemory()
    {
        var budget = _world.Server.Context.Shards.Budget;
        var left = budget.UsedBytes - MemoryAccount.OfShards(_world.Server) - MemoryAccount.OfPools(_world.Server);
        return left != 0 ? $"{left} bytes of memory belong to nobody"
            : budget.RetiredBytes != 0 ? $"{budget.RetiredBytes} bytes are about to become free, and do not"
            : null;
    }

    private string? FirstSinceStart()
    {
        var server = _world.Server;
        var bytes = MemoryAccount.OfShards(server) - MemoryAccount.KeptByShards(server);
        var atStart = server.Services.Diagnostics.StartupBytes - MemoryAccount.OfPoolsAtStart(server);
        return bytes == atStart ? null : $"Empty shards take {bytes} bytes, at the start {atStart}";
    }
}
