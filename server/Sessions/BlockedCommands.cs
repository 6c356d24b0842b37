using Strata.Storage.Workers;

namespace Strata.Server.Sessions;

/// <summary>The blocked commands of one worker's clients, those with a deadline in a binary heap by it: the worker
/// wakes for the first alone, whatever their number. Worker's thread only, but for the counts.</summary>
internal sealed class BlockedCommands
{
    private readonly Worker _worker;
    private readonly List<BlockedCommand> _heap = [];

    public BlockedCommands(Worker worker)
    {
        _worker = worker;
    }

    /// <summary>Blocked commands; any thread may read it.</summary>
    public int Count { get; private set; }

    /// <summary>Those of them that end by themselves; any thread may read it.</summary>
    public int WithDeadline => _heap.Count;

    /// <summary>Takes in a command that waits from now on.</summary>
    public void Add(BlockedCommand command)
    {
        Count++;
        if (command.DeadlineMs < long.MaxValue)
        {
            _heap.Add(command);
            command.HeapIndex = _heap.Count - 1;
            MoveUp(command);
            SetAlarm();
        }
    }

    /// <summary>A command waits no longer.</summary>
    public void Remove(BlockedCommand command)
    {
        Count--;
        TakeOut(command);
        SetAlarm();
    }

    /// <summary>Ends the commands whose time is up.</summary>
    public void OnTurn(long nowMs)
    {
        while (_heap.Count > 0 && _heap[0].DeadlineMs <= nowMs)
        {
            var due = _heap[0];
            TakeOut(due);
            if (due.End == WaitEnd.None)
            {
                due.EndBy(WaitEnd.Timeout);
            }
        }

        SetAlarm();
    }

    private void SetAlarm() => _worker.AlarmMs = _heap.Count == 0 ? long.MaxValue : _heap[0].DeadlineMs;

    private void TakeOut(BlockedCommand command)
    {
        var index = command.HeapIndex;
        if (index < 0)
        {
            return;
        }

        var last = _heap[^1];
        _heap.RemoveAt(_heap.Count - 1);
        command.HeapIndex = -1;
        if (last != command)
        {
            Place(last, index);
            MoveUp(last);
            MoveDown(last);
        }
    }

    private void MoveUp(BlockedCommand command)
    {
        while (command.HeapIndex > 0)
        {
            var above = _heap[(command.HeapIndex - 1) / 2];
            if (above.DeadlineMs <= command.DeadlineMs)
            {
                return;
            }

            Exchange(command, above);
        }
    }

    private void MoveDown(BlockedCommand command)
    {
        while (true)
        {
            var child = (2 * command.HeapIndex) + 1;
            if (child >= _heap.Count)
            {
                return;
            }

            child += child + 1 < _heap.Count && _heap[child + 1].DeadlineMs < _heap[child].DeadlineMs ? 1 : 0;
            if (command.DeadlineMs <= _heap[child].DeadlineMs)
            {
                return;
            }

            Exchange(command, _heap[child]);
        }
    }

    private void Exchange(BlockedCommand first, BlockedCommand second)
    {
        var index = first.HeapIndex;
        Place(first, second.HeapIndex);
        Place(second, index);
    }

    private void Place(BlockedCommand command, int index)
    {
        _heap[index] = command;
        command.HeapIndex = index;
    }
}
