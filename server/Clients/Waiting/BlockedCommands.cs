using Strata.Storage.Runtime;

namespace Strata.Server.Clients.Waiting;

/// <summary>The blocked commands of one worker's clients, those with a deadline in a heap by it: the worker wakes
/// for the first alone, whatever their number. Worker's thread only, but for the counts.</summary>
internal sealed class BlockedCommands
{
    private readonly Worker _worker;
    private readonly DeadlineHeap<BlockedCommand> _deadlines = new();

    public BlockedCommands(Worker worker)
    {
        _worker = worker;
    }

    /// <summary>Blocked commands; any thread may read it.</summary>
    public int Count { get; private set; }

    /// <summary>Those of them that end by themselves; any thread may read it.</summary>
    public int WithDeadline => _deadlines.Count;

    /// <summary>Takes in a command that waits from now on.</summary>
    public void Add(BlockedCommand command)
    {
        Count++;
        if (command.DeadlineMs < long.MaxValue)
        {
            _deadlines.Add(command);
            SetAlarm();
        }
    }

    /// <summary>A command waits no longer.</summary>
    public void Remove(BlockedCommand command)
    {
        Count--;
        _deadlines.Remove(command);
        SetAlarm();
    }

    /// <summary>Ends the commands whose time is up.</summary>
    public void OnTurn(long nowMs)
    {
        while (_deadlines.First is { } due && due.DeadlineMs <= nowMs)
        {
            _deadlines.Remove(due);
            if (due.End == WaitEnd.None)
            {
                due.EndBy(WaitEnd.Timeout);
            }
        }

        SetAlarm();
    }

    private void SetAlarm() => _worker.AlarmMs = _deadlines.First?.DeadlineMs ?? long.MaxValue;
}
