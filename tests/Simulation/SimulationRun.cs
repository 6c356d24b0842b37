using System.Security.Cryptography;
using System.Text;
using Strata.Server.Commands.Model;
using Strata.Server.Lifecycle;
using Strata.Storage;
using Strata.Storage.Leases;

namespace Strata.Tests.Simulation;

/// <summary>One run of a plan: trouble while the clients do what they do, then calm until all are answered, then a look
/// at all keys, then everybody goes; and what was not as it must be.</summary>
internal sealed class SimulationRun : IDisposable
{
    private const int TroubledSteps = 6000;
    private const int CalmRounds = 300;
    private const int MostRescues = 40;

    private readonly SimulationPlan _plan;
    private readonly SimulatedWorld _world;
    private readonly List<SimulatedClient> _clients;
    private readonly long _overheadBytes;
    private int _further;

    private SimulationRun(SimulationPlan plan, Func<CommandRow, CommandRow>? change)
    {
        _plan = plan;
        _world = new SimulatedWorld(plan, change);
        _overheadBytes = _world.OverheadBytes;
        _clients = [.. plan.Clients.Select((script, i) => new SimulatedClient(_world, i, script))];
    }

    /// <summary>Makes a run.</summary>
    public static SimulationOutcome Of(SimulationPlan plan, Func<CommandRow, CommandRow>? change = null)
    {
        using var run = new SimulationRun(plan, change);
        var failure = run.Execute();
        var history = string.Join('\n', run._world.History);
        var hash = Convert.ToHexString(SHA256.HashData(Encoding.UTF8.GetBytes(history)));
        var operations = run._world.History;
        return failure != null
            ? new SimulationOutcome(failure, hash, operations.Count, IsUndecided: false)
            : Check(plan, operations, hash);
    }

    /// <inheritdoc/>
    public void Dispose() => _world.Dispose();

    private static SimulationOutcome Check(SimulationPlan plan, List<Operation> operations, string hash)
    {
        var checker = new LinearizabilityChecker(
            operations, plan.Has(SimulationFaults.ShortMemory | SimulationFaults.FailingDisk));
        var isOrdered = checker.TryOrder();
        return new SimulationOutcome(
            isOrdered || checker.IsUndecided ? null : "No serial execution gives these replies: " + checker.Obstacle,
            hash, operations.Count, checker.IsUndecided);
    }

    private string? Execute()
    {
        for (var step = 0; step < TroubledSteps && !_clients.All(client => client.IsDone); step++)
        {
            _world.Step();
            _clients[_world.Random.Next(_clients.Count)].Act(_world.Random);
        }

        _world.Calm();
        for (var rescues = 0; !TryFinish(); rescues++)
        {
            if (rescues == MostRescues)
            {
                return "Somebody waits for ever: " + string.Join('\n', _world.History.Where(IsAwaited));
            }

            // Who waits for a list is served.
            Add([.. ScriptGenerator.Keys.SelectMany(key =>
                new[] { SimulatedRequest.Of("DEL", key), SimulatedRequest.Of("RPUSH", key, $"rescue{rescues}") })]);
        }

        Add([.. ScriptGenerator.Keys.SelectMany(key => new[]
        {
            SimulatedRequest.Of("GET", key), SimulatedRequest.Of("LRANGE", key, "0", "-1"),
            SimulatedRequest.Of("SMEMBERS", key), SimulatedRequest.Of("HGETALL", key),
        })]);
        return !TryFinish() ? "The last look at the keys is not answered" : End();
    }

    /// <summary>Bytes of the queues that workers keep for later transactions: at most one for each client that had one.
    /// </summary>
    private long MayBeKeptBytes => (long)_plan.Clients.Count * Limits.TransactionKeepBytes;

    /// <summary>Whether what does not belong to the shards belongs to connections: neither does the device need memory,
    /// nor do large values stay in what commands share.</summary>
    private bool IsMemoryPlain => !_plan.HasTier && !_plan.Has(SimulationFaults.ShortMemory);

    private bool IsAwaited(Operation operation)
        => !operation.IsAnswered && !_clients[operation.Client].IsClosed;

    private void Add(IReadOnlyList<SimulatedRequest> batch)
    {
        _further++;
        _clients.Add(new SimulatedClient(_world, _plan.Clients.Count + _further - 1, new ClientScript([batch], false)));
    }

    private bool TryFinish()
    {
        for (var round = 0; round < CalmRounds && !_clients.All(client => client.IsDone); round++)
        {
            _world.Round();
            foreach (var client in _clients)
            {
                client.Act(_world.Random);
            }
        }

        return _clients.All(client => client.IsDone);
    }

    /// <summary>Everybody goes: nothing of them may be left.</summary>
    private string? End()
    {
        foreach (var client in _clients)
        {
            client.Close();
        }

        var server = _world.Server;
        var shards = server.Context.Shards.All.ToArray();
        for (var round = 0; round < CalmRounds; round++)
        {
            _world.Round();
        }

        var clients = server.Services.Diagnostics.Clients;
        return server.Context.Shutdown.ExitCode != ExitCode.Ok ? "A worker failed"
            : clients.Connected != 0 ? $"{clients.Connected} clients are left"
            : server.Workers.Any(worker => worker.Blocked.Count > 0) ? "Commands that block are left"
            : shards.Any(shard => !ShardLease.IsFree(shard.Lease.ReadVersion())) ? "A lease is taken"
            : shards.Any(shard => shard.Waits.Count > 0 || shard.Watches.Count > 0) ? "Interests are left"
            : server.Workers.Any(worker => worker.Tier is { InFlight: > 0 }) ? "Requests to the device are left"
            : IsMemoryPlain && _world.OverheadBytes > _overheadBytes + MayBeKeptBytes
                ? $"{_world.OverheadBytes - _overheadBytes} bytes are left"
            : null;
    }
}
