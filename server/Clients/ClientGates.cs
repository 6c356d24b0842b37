using System.Collections.Immutable;
using Strata.Storage.Sharding;

namespace Strata.Server.Clients;

/// <summary>
/// What stands between clients and commands in the whole server: CLIENT PAUSE and the monitors. A change here takes
/// effect on a worker when that adopts it (<see cref="WorkerGates.Adopt"/>), which whoever makes the change asks all
/// workers to do; the last change wins everywhere. Any thread.
/// </summary>
internal sealed class ClientGates
{
    private readonly Lock _lock = new();
    private readonly ShardMap _shards;
    private volatile CommandPause? _pause;
    private bool _isLoading;
    private ImmutableArray<Session> _monitors = [];

    /// <summary>Nobody waits yet.</summary>
    /// <param name="shards">What a pause lets stand still: no key expires in it.</param>
    public ClientGates(ShardMap shards)
    {
        _shards = shards;
    }

    /// <summary>The pause asked for last, which may be over; null for none.</summary>
    public CommandPause? Pause => _pause;

    /// <summary>The monitors, in the order they came.</summary>
    public ImmutableArray<Session> Monitors
    {
        get
        {
            lock (_lock)
            {
                return _monitors;
            }
        }
    }

    /// <summary>Pauses clients, or makes the pause in force longer or stricter.</summary>
    public void SetPause(CommandPause pause, long nowMs)
    {
        lock (_lock)
        {
            _pause = pause.Over(_pause, nowMs);
            KeepExpired(_pause.UntilMs);
        }
    }

    /// <summary>Ends the pause.</summary>
    public void EndPause()
    {
        lock (_lock)
        {
            _pause = null;
            KeepExpired(untilMs: 0);
        }
    }

    /// <summary>While what the journal holds is repeated no key expires and none is evicted: none was when it was done
    /// first, or that stands there, too.</summary>
    public void HoldWhileLoading(bool isLoading)
    {
        lock (_lock)
        {
            _isLoading = isLoading;
            KeepExpired(_pause?.UntilMs ?? 0);
        }
    }

    /// <summary>Adds a monitor.</summary>
    public void AddMonitor(Session session)
    {
        lock (_lock)
        {
            _monitors = _monitors.Add(session);
        }
    }

    /// <summary>Takes a monitor off the list.</summary>
    public void RemoveMonitor(Session session)
    {
        lock (_lock)
        {
            _monitors = _monitors.Remove(session);
        }
    }

    private void KeepExpired(long untilMs)
    {
        foreach (var shard in _shards.All)
        {
            shard.ExpiryHold.Until(_isLoading ? long.MaxValue : untilMs);
        }
    }

    /// <summary>Has all workers adopt what is in force here; then the session answers OK and goes on.</summary>
    public static void AdoptEverywhere(Session session)
        => session.AskWorkers(
            static worker =>
            {
                worker.Gates.Adopt();
                return true;
            },
            static (reply, _) => reply.Ok());
}
