using Strata.Server.Commands.Model;
using Strata.Storage.Memory;

namespace Strata.Server.Execution;

/// <summary>Memory for the large reply of a command that was broken off for want of it: before the command is tried
/// again keys are given up for as much, which counts as held until then.</summary>
internal sealed class ReplyRoom : IReplyRoom
{
    private readonly ExecutionWorker _worker;
    private MemoryCharge _charge;
    private long _wantedBytes;
    private int _tries;

    /// <summary>None is wanted yet.</summary>
    public ReplyRoom(ExecutionWorker worker)
    {
        _worker = worker;
        _charge = new MemoryCharge(worker.Budget);
    }

    /// <inheritdoc/>
    public bool IsLast { get; private set; }

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

        // How long a reply of many elements becomes is not known: each time it may be twice as long.
        var bytes = _wantedBytes << _tries;
        var room = _worker.Budget.CanNeverHold(bytes)
            ? Room.None
            : _worker.Executor.EnsureRoom(ref _charge, bytes, nowMs);
        if (room == Room.OnItsWay)
        {
            return false;
        }

        _charge.Set(0);
        _wantedBytes = 0;
        _tries++;
        IsLast = room >= Room.None;
        return true;
    }

    /// <summary>A command has been executed: another one of the run begins with none of its tries made.</summary>
    public void OnExecuted()
    {
        if (_wantedBytes == 0)
        {
            _tries = 0;
            IsLast = false;
        }
    }

    /// <summary>All commands have been executed.</summary>
    public void Clear()
    {
        _charge.Set(0);
        _wantedBytes = 0;
        _tries = 0;
        IsLast = false;
    }
}
