using Strata.Server.Commands.Model;
using Strata.Storage.Memory;

namespace Strata.Server.Execution;

/// <summary>Memory that a command takes by itself, for a large reply or a large value that it makes of others, and for
/// want of which it was broken off: before it is tried again keys are given up for as much, which counts as held until
/// then.</summary>
internal sealed class CommandRoom : ICommandRoom
{
    private readonly ExecutionWorker _worker;
    private MemoryCharge _charge;
    private long _wantedBytes;
    private long _mostWantedBytes;
    private int _tries;
    private int _lastTries;
    private bool _isMoreRefused;
    private long _noneSinceMs;

    /// <summary>None is wanted yet.</summary>
    public CommandRoom(ExecutionWorker worker)
    {
        _worker = worker;
        _charge = new MemoryCharge(worker.Budget);
    }

    /// <inheritdoc/>
    public bool IsLast { get; private set; }

    /// <summary>Whether some is wanted.</summary>
    public bool IsWanted => _wantedBytes > 0;

    /// <summary>Bytes charged to the budget.</summary>
    public long ChargedBytes => _charge.Bytes;

    /// <inheritdoc/>
    public void Want(long bytes) => _wantedBytes = Math.Max(_wantedBytes, bytes);

    /// <summary>Makes the room that is wanted, if any is. No lease may be held.</summary>
    /// <returns>False when it must be waited for; else the command is to be tried again, even if there is none.
    /// </returns>
    public bool TryMake(long nowMs)
    {
        if (_wantedBytes == 0)
        {
            return true;
        }

        // How long a reply of many elements becomes is not known: each time it may be twice as long. Of a value it is,
        // but what was made may be gone: others took it, or cold collections that the command reads first.
        _mostWantedBytes = Math.Max(_mostWantedBytes, _wantedBytes);
        var wanted = _mostWantedBytes;
        var more = wanted << _tries;
        var isLast = _isMoreRefused || _worker.Budget.CanNeverHold(more);
        var bytes = isLast ? wanted : more;
        var room = _worker.Budget.CanNeverHold(bytes)
            ? Room.None
            : _worker.Executor.EnsureRoom(ref _charge, bytes, nowMs);
        if (room == Room.OnItsWay)
        {
            return false;
        }

        _charge.Set(0); // Who waits on must not be what others wait for.
        if (room == Room.None && bytes > wanted)
        {
            _isMoreRefused = true;
            return false;
        }

        if (room == Room.None && !_worker.Budget.CanNeverHold(bytes) && IsPatient(nowMs))
        {
            return false;
        }

        _noneSinceMs = 0;
        _wantedBytes = 0;
        _tries += isLast ? 0 : 1;
        _lastTries += isLast ? 1 : 0;
        _isMoreRefused = false;
        IsLast = _lastTries == ServerLimits.LastRoomTries || room >= Room.None;
        return true;
    }

    /// <summary>Whether there may be room yet though no key can make any: what was sent to others leaves memory as they
    /// read it.</summary>
    private bool IsPatient(long nowMs)
    {
        _noneSinceMs = _noneSinceMs == 0 ? nowMs : _noneSinceMs;
        return Math.Abs(nowMs - _noneSinceMs) < ServerLimits.RoomPatienceMs;
    }

    /// <summary>A command has been executed: another one of the run begins with none of its tries made.</summary>
    public void OnExecuted()
    {
        if (_wantedBytes == 0)
        {
            EndTries();
        }
    }

    /// <summary>All commands have been executed.</summary>
    public void Clear()
    {
        _charge.Set(0);
        _wantedBytes = 0;
        _noneSinceMs = 0;
        EndTries();
    }

    private void EndTries()
    {
        _mostWantedBytes = 0;
        _tries = 0;
        _lastTries = 0;
        _isMoreRefused = false;
        IsLast = false;
    }
}
