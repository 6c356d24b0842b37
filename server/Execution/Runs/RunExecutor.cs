using Strata.Server.Clients;
using Strata.Server.Commands.Model;
using Strata.Server.Execution.Accounting;
using Strata.Server.Resp;
using Strata.Storage.Sharding;

namespace Strata.Server.Execution.Runs;

/// <summary>
/// Executes a run on one worker. Where nothing has to be waited for, commands run in wire order and reply straight to
/// the output. From the first one on that has to wait (its lease is taken, its record is on the device, memory is
/// short), replies are gathered, and the session waits until all have been executed. A run with writes on shared
/// shards is executed shard by shard, one lease each.
/// </summary>
internal sealed unsafe class RunExecutor
{
    // As CommandRun.PrefetchDistance, in shards.
    private const int GroupPrefetchDistance = 3;

    private readonly ExecutionWorker _worker;
    private readonly CommandExecutor _executor;
    private readonly ShardMap _shards;
    private readonly bool _isShared;
    private readonly RunClock _clock;
    private readonly RunAccount _account;
    private readonly List<DeferredGroup> _deferred = new(ServerLimits.MaxRunCommands);
    private bool _isAnyLeft;
    private bool _isStale;
    private bool _wantsRoom;
    private bool _letsPass;

    // The command that ended the direct execution because its record is on the device; -1 for none.
    private int _cold = -1;

    public RunExecutor(ExecutionWorker worker)
    {
        _worker = worker;
        _clock = new RunClock(worker.Server.Platform.Clock);
        _executor = worker.Executor;
        _account = worker.RunAccount;
        _shards = worker.Server.Shards;
        _isShared = worker.Server.WorkerCount > 1;
    }

    /// <summary>Executes the run.</summary>
    /// <returns>False when some of it must wait: the session goes on when all has been executed.</returns>
    public bool TryExecute(Session session, CommandRun run, ArgumentBuffer arguments)
    {
        _clock.Start();
        _cold = -1;
        var context = Prepare(session, run);
        if (!run.HasWrites || !_isShared || run.Count == 1)
        {
            ExecuteDirect(context, run, arguments);
        }

        var isDone = run.RepliesFrom == run.Count || TryGather(session, context, run, arguments, _cold);
        session.LastCommand = run.Entries[run.Count - 1].Row;
        if (isDone)
        {
            Finish(session, run, run.IsSuspended ? run.Input.Arguments : arguments);
        }

        return isDone;
    }

    /// <summary>Goes on with a run whose waits have ended.</summary>
    /// <returns>False when some of it must wait again.</returns>
    public bool TryContinue(Session session, CommandRun run)
    {
        _clock.Start();
        run.ThrowIfFailed();
        if (run.DatabaseVersion != _worker.Server.Databases.Version)
        {
            run.Rehash(_worker.Server.Databases, session.Database);
        }

        PrefetchBuckets(run);
        var start = _worker.Reply.Length;
        if (!TryGather(session, Prepare(session, run), run, run.Input.Arguments, asked: -1))
        {
            return false;
        }

        Finish(session, run, run.Input.Arguments);
        session.EndCommand(_worker.Reply, start);
        return true;
    }

    /// <summary>A run that waited has been answered: the worker gets it back.</summary>
    public void End(CommandRun run)
    {
        foreach (var group in run.Groups)
        {
            _worker.Groups.Return(group);
        }

        run.Groups.Clear();
        _worker.Runs.Return(run);
    }

    /// <summary>Takes back the groups of a run that ended early: nobody has them yet.</summary>
    public void Drop()
    {
        foreach (var group in _deferred)
        {
            _worker.Groups.Return(group);
        }

        _deferred.Clear();
    }

    private CommandContext Prepare(Session session, CommandRun run)
    {
        var context = _worker.Context;
        context.Client = session;
        context.Reply = _worker.Reply;
        if (_worker.Tier != null)
        {
            run.Cold ??= _worker.Tier.RentSet();
            context.Cold = run.Cold;
        }

        return context;
    }

    private void Finish(Session session, CommandRun run, ArgumentBuffer arguments)
    {
        _clock.End(run);
        _account.Count(session, run, _clock, arguments);
        _executor.EndCold(run.Cold, _worker.Context.NowMs);
    }

    /// <summary>Executes commands in wire order, up to the first that has to wait.</summary>
    private void ExecuteDirect(CommandContext context, CommandRun run, ArgumentBuffer arguments)
    {
        run.PrefetchRecords(_shards, 0, CommandRun.PrefetchDistance);
        while (run.RepliesFrom < run.Count)
        {
            run.PrefetchRecords(_shards, run.RepliesFrom + CommandRun.PrefetchDistance, 1);
            if (!TryExecuteEntry(context, run, run.RepliesFrom, arguments))
            {
                return;
            }

            run.RepliesFrom++;
        }
    }

    /// <summary>Executes the commands that are left, gathering their replies.</summary>
    /// <param name="session">Whose they are.</param>
    /// <param name="context">What they are executed with.</param>
    /// <param name="run">The run.</param>
    /// <param name="arguments">Its arguments, as long as it is not suspended.</param>
    /// <param name="asked">A command that has asked for its record by now, and waits for it; -1 for none.</param>
    /// <returns>False when some must wait: the run is suspended.</returns>
    private bool TryGather(
        Session session, CommandContext context, CommandRun run, ArgumentBuffer arguments, int asked)
    {
        run.Scratch.Protocol = session.Protocol;
        context.Reply = run.Scratch;
        do
        {
            _isAnyLeft = asked >= 0;
            _isStale = false;
            _wantsRoom = false;
            _letsPass = false;
            var own = run.IsSuspended ? run.Input.Arguments : arguments;
            if (!run.HasWrites || !_isShared)
            {
                ExecuteInOrder(context, run, own, asked);
            }
            else if (asked < 0)
            {
                ExecuteByShard(context, run, own);
            }

            asked = -1;

            // What was asked for is waited for, also if others have made it needless meanwhile.
            _isAnyLeft |= run.Cold is { IsReading: true };
        }
        while (_isAnyLeft && !TrySuspend(session, run, arguments));
        context.Reply = _worker.Reply;
        if (_isAnyLeft)
        {
            return false;
        }

        run.CopyReplies(_worker.Reply);
        return true;
    }

    private void ExecuteInOrder(CommandContext context, CommandRun run, ArgumentBuffer arguments, int asked)
    {
        for (var i = run.RepliesFrom; i < run.Count; i++)
        {
            ref var entry = ref run.Entries[i];
            if (entry.Outcome != RunOutcome.Deferred || i == asked)
            {
                continue;
            }

            run.PrefetchRecords(_shards, i + CommandRun.PrefetchDistance, 1);
            if (_isAnyLeft && run.HasWrites && run.MustFollow(i))
            {
                continue;
            }

            entry.ReplyBuffer = run.Scratch;
            entry.ReplyStart = run.Scratch.Length;
            if (TryExecuteEntry(context, run, i, arguments))
            {
                entry.ReplyLength = run.Scratch.Length - entry.ReplyStart;
            }
        }
    }

    private void ExecuteByShard(CommandContext context, CommandRun run, ArgumentBuffer arguments)
    {
        run.GroupByShard(_shards);
        PrefetchGroups(run, 0, GroupPrefetchDistance);
        for (var i = 0; i < run.ShardCount; i++)
        {
            PrefetchGroups(run, i + GroupPrefetchDistance, 1);
            ExecuteGroup(context, run, arguments, _shards[run.ShardsInUse[i]]);
        }
    }

    /// <summary>Executes the commands of one shard under its lease, or leaves them to its holder.</summary>
    private void ExecuteGroup(CommandContext context, CommandRun run, ArgumentBuffer arguments, Shard shard)
    {
        var first = run.FirstOf(shard.Number);
        var room = _executor.EnsureRoom(context.NowMs);
        if (!shard.Lease.TryAcquire() && !shard.Lease.TryAcquireSpinning())
        {
            Leave(context, run, first);
            return;
        }

        if (run.DatabaseVersion != _worker.Server.Databases.Version)
        {
            shard.Lease.Release();
            _isAnyLeft = true;
            _isStale = true;
            return;
        }

        _executor.EndReads(context);
        try
        {
            for (var i = first; i >= 0; i = run.Entries[i].NextOfShard)
            {
                if (!_isAnyLeft || !run.MustFollow(i))
                {
                    ExecuteOfGroup(context, run, i, arguments, room);
                }
            }
        }
        finally
        {
            _executor.Release(shard, context.NowMs);
        }
    }

    private void ExecuteOfGroup(CommandContext context, CommandRun run, int index, ArgumentBuffer arguments, Room room)
    {
        ref var entry = ref run.Entries[index];
        run.Load(context, entry, arguments);
        entry.ReplyBuffer = run.Scratch;
        entry.ReplyStart = run.Scratch.Length;
        if (entry.Row.Has(CommandFlags.DenyOom) && room == Room.OnItsWay)
        {
            _isAnyLeft = true;
            _wantsRoom = true;
            return;
        }

        var errors = run.Scratch.Errors;
        if (entry.Row.Has(CommandFlags.DenyOom) && room >= Room.None)
        {
            _executor.Refuse(context, room);
            entry.Outcome = RunOutcome.Rejected;
        }
        else
        {
            var attempt = _executor.ExecuteAtHand(context);
            if (attempt != Attempt.Done)
            {
                _isAnyLeft = true;
                _letsPass |= attempt == Attempt.NotItsTurn;
                return;
            }

            entry.Outcome = run.Scratch.Errors == errors ? RunOutcome.Executed : RunOutcome.Failed;
        }

        entry.ReplyLength = run.Scratch.Length - entry.ReplyStart;
        entry.MovedBytes = entry.Length + entry.ReplyLength;
        _clock.OnExecuted(run, index);
    }

    /// <summary>Executes one command under a lease of its own, if it needs one.</summary>
    private bool TryExecuteEntry(CommandContext context, CommandRun run, int index, ArgumentBuffer arguments)
    {
        ref var entry = ref run.Entries[index];
        run.Load(context, entry, arguments);
        var errors = context.Reply.Errors;
        var start = context.Reply.Length;
        var room = _executor.EnsureRoom(context, entry.Row.Flags);
        if (room >= Room.None)
        {
            entry.Outcome = RunOutcome.Rejected;
        }
        else if (room == Room.OnItsWay)
        {
            _wantsRoom = true;
            _isAnyLeft = true;
            return false;
        }
        else
        {
            var attempt = _executor.TryExecuteKeyed(context);
            if (attempt != Attempt.Done)
            {
                _isAnyLeft = true;
                _letsPass |= attempt == Attempt.NotItsTurn;
                _cold = attempt == Attempt.Cold ? index : -1;
                if (attempt == Attempt.LeaseTaken && context.Reply == run.Scratch)
                {
                    entry.NextOfShard = -1;
                    entry.Shard = context.Shard.Number;
                    Leave(context, run, index);
                }

                return false;
            }

            entry.Outcome = context.Reply.Errors == errors ? RunOutcome.Executed : RunOutcome.Failed;
        }

        entry.MovedBytes = entry.Length + context.Reply.Length - start;
        _clock.OnExecuted(run, index);
        return true;
    }

    /// <summary>Leaves commands to the holder of their shard's lease, once the run is suspended.</summary>
    private void Leave(CommandContext context, CommandRun run, int first)
    {
        _isAnyLeft = true;
        var group = _worker.Groups.Rent();
        group.Take(context.Session, run, _shards[run.Entries[first].Shard], first, context.NowMs);
        _deferred.Add(group);
    }

    /// <summary>Lets the session wait for what is left.</summary>
    /// <returns>False when there is nothing to wait for: it is to be tried again at once.</returns>
    private bool TrySuspend(Session session, CommandRun run, ArgumentBuffer arguments)
    {
        if (_isStale)
        {
            run.Rehash(_worker.Server.Databases, session.Database);
        }

        if (!run.IsSuspended)
        {
            run.Suspend(this, arguments);
        }

        run.Waits++; // What ends at once must not end the wait for the rest.
        run.Waits += _deferred.Count;
        if (run.Cold != null && run.Cold.TryStart(session))
        {
            run.Waits++;
        }

        if (_wantsRoom)
        {
            run.Waits++;
            _worker.WaitForRoom(session);
        }

        if (_letsPass)
        {
            run.Waits++;
            session.WaitForTurn();
        }

        // Counted before the groups are let go: whoever executes them writes to their entries.
        _clock.End(run);
        foreach (var group in _deferred)
        {
            run.Groups.Add(group);
            group.Shard.Lease.Queue(group);
        }

        _deferred.Clear();
        if (--run.Waits == 0)
        {
            return false;
        }

        session.WaitFor(run);
        if (run == _worker.Run)
        {
            _worker.ReplaceRun();
        }

        return true;
    }

    /// <summary>Fetches the index buckets of what is left: while the run waited, they left the cache.</summary>
    private void PrefetchBuckets(CommandRun run)
    {
        foreach (ref readonly var entry in run.Entries.AsSpan(run.RepliesFrom, run.Count - run.RepliesFrom))
        {
            if (entry.Outcome == RunOutcome.Deferred)
            {
                _shards.Of(entry.Key.Hash).Index.Prefetch(entry.Key.Hash);
            }
        }
    }

    private void PrefetchGroups(CommandRun run, int first, int count)
    {
        for (var i = first; i < Math.Min(first + count, run.ShardCount); i++)
        {
            var shard = run.ShardsInUse[i];
            for (var entry = run.FirstOf(shard); entry >= 0; entry = run.Entries[entry].NextOfShard)
            {
                _shards[shard].PrefetchRecord(run.Entries[entry].Key.Hash);
            }
        }
    }
}
