using Strata.Server.Clients;
using Strata.Server.Commands.Model;
using Strata.Server.Execution.Accounting;
using Strata.Server.Resp;
using Strata.Storage.Sharding;

namespace Strata.Server.Execution.Runs;

/// <summary>
/// Executes a run on one worker. Where nothing has to be waited for, commands run in wire order and reply straight to
/// the output, which is sent between them when it is much. From the first one on that has to wait (its lease is taken,
/// its record is on the device, memory is short), replies are gathered, as long as they are not too much, and the
/// session waits until all have been executed. A run with writes on shared shards is executed shard by shard, one lease
/// each.
/// </summary>
internal sealed unsafe class RunExecutor
{
    private readonly ExecutionWorker _worker;
    private readonly CommandExecutor _executor;
    private readonly ShardMap _shards;
    private readonly bool _isShared;
    private readonly RunClock _clock;
    private readonly RunAccount _account;
    private readonly List<DeferredGroup> _deferred = new(ServerLimits.MaxRunCommands);
    private RunPause _pause;

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
        var isDone = TryExecuteAll(session, Prepare(session, run), run, arguments);
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
        run.EndGroups(session, _worker.Groups);
        if (run.DatabaseVersion != _worker.Server.Databases.Version)
        {
            run.Rehash(_worker.Server.Databases, session.Database);
        }

        run.PrefetchBuckets(_shards);
        var start = _worker.Reply.Length;
        if (!TryExecuteAll(session, Prepare(session, run), run, run.Input.Arguments))
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
        run.ReturnGroups(_worker.Groups);
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
        (context.CommandRoom, context.Taken) = (run.CommandRoom, run.Input.Bytes);
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
        run.Cold?.End(_worker.Context.NowMs);
        if (run.IsSuspended)
        {
            session.Connection.Output.EndHold(_worker.Reply);
        }
    }

    /// <summary>Executes what is left: in wire order straight to the output as far as that goes, and then whatever
    /// can be executed.</summary>
    /// <param name="session">Whose they are.</param>
    /// <param name="context">What they are executed with.</param>
    /// <param name="run">The run.</param>
    /// <param name="arguments">Its arguments, as long as it is not suspended.</param>
    /// <returns>False when some must wait: the run is suspended.</returns>
    private bool TryExecuteAll(Session session, CommandContext context, CommandRun run, ArgumentBuffer arguments)
    {
        while (true)
        {
            _pause = new RunPause { Cold = -1 };
            var own = run.IsSuspended ? run.Input.Arguments : arguments;
            ExecuteDirect(session, context, run, own);
            if (run.RepliesFrom == run.Count)
            {
                return true;
            }

            if (_pause is { WantsOutput: false, GoesOn: false } && !MustLetServe(session)
                && (_pause.Cold < 0 || !_worker.Budget.IsFarOver))
            {
                Gather(session, context, run, own, _pause.Cold);
            }

            if (_pause.IsAnyLeft && TrySuspend(session, run, arguments))
            {
                return false;
            }
        }
    }

    /// <summary>Puts replies into the output in wire order, those gathered and those of commands that it executes, up
    /// to the first command that has to wait.</summary>
    private void ExecuteDirect(Session session, CommandContext context, CommandRun run, ArgumentBuffer arguments)
    {
        if (run.IsSuspended && session.Connection is { IsClosed: false, Output.IsAboveHighWater: true })
        {
            _pause.WantOutput();
            return;
        }

        var isOrdered = !run.HasWrites || !_isShared || run.Count == 1 || run.Scratch.IsFull;
        if (isOrdered)
        {
            run.PrefetchRecords(_shards, run.RepliesFrom, CommandRun.PrefetchDistance);
        }

        while (run.RepliesFrom < run.Count)
        {
            if (_worker.Reply.Length >= ServerLimits.ReplyFlushBytes && run.RepliesFrom > 0 && !TryFlush(session))
            {
                return;
            }

            ref readonly var entry = ref run.Entries[run.RepliesFrom];
            if (entry.Outcome != RunOutcome.Deferred)
            {
                if (entry.HasLargeReply && _worker.Reply.Length > 0 && !TryFlush(session))
                {
                    return; // Behind others it would be copied.
                }

                entry.PutReply(_worker.Reply);
            }
            else if (isOrdered && (run.Begun < 0 || run.Begun == run.RepliesFrom))
            {
                if (MustLetServe(session))
                {
                    return;
                }

                run.PrefetchRecords(_shards, run.RepliesFrom + CommandRun.PrefetchDistance, 1);
                if (!TryExecuteEntry(context, run, run.RepliesFrom, arguments))
                {
                    return;
                }
            }
            else
            {
                return;
            }

            run.RepliesFrom++;
        }
    }

    /// <summary>Whether others come first whom a command of the client has woken, or has met.</summary>
    private bool MustLetServe(Session session) => session.IsOthersTurn && (_pause.LetsPass = _pause.IsAnyLeft = true);

    /// <summary>Sends the replies so far, so that those of a run do not gather. Of a client that has gone the rest is
    /// executed all the same.</summary>
    /// <returns>False when the client has to read some first.</returns>
    private bool TryFlush(Session session)
    {
        if (session.Connection.TryFlush() || session.Connection.IsClosed)
        {
            return true;
        }

        _pause.WantOutput();
        return false;
    }

    /// <summary>Executes the commands that are left, gathering their replies.</summary>
    /// <param name="session">Whose they are.</param>
    /// <param name="context">What they are executed with.</param>
    /// <param name="run">The run.</param>
    /// <param name="arguments">Its arguments.</param>
    /// <param name="asked">A command that has asked for its record by now, and waits for it; -1 for none.</param>
    private void Gather(
        Session session, CommandContext context, CommandRun run, ArgumentBuffer arguments, int asked)
    {
        _pause.IsAnyLeft = asked >= 0;
        _pause.WantsRoom = false;
        _pause.LetsPass = false;
        run.Scratch.Protocol = session.Protocol;
        context.Reply = run.Scratch;
        if (run.Begun < 0 || (asked < 0 && TryGather(context, run, run.Begun, arguments)))
        {
            if (!run.HasWrites || !_isShared || run.Scratch.IsFull)
            {
                ExecuteInOrder(context, run, arguments, asked);
            }
            else if (asked < 0)
            {
                ExecuteByShard(context, run, arguments);
            }
        }

        context.Reply = _worker.Reply;

        // What was asked for is waited for, also if others have made it needless meanwhile.
        _pause.IsAnyLeft |= run.Cold is { IsReading: true };
    }

    private void ExecuteInOrder(CommandContext context, CommandRun run, ArgumentBuffer arguments, int asked)
    {
        for (var i = run.RepliesFrom; i < run.Count; i++)
        {
            ref readonly var entry = ref run.Entries[i];
            if (entry.Outcome != RunOutcome.Deferred)
            {
                continue;
            }

            if ((run.Scratch.IsFull && i > run.RepliesFrom) || run.Begun >= 0 || MustLetServe(context.Session))
            {
                return;
            }

            run.PrefetchRecords(_shards, i + CommandRun.PrefetchDistance, 1);
            var mustWait = i == asked || (_pause.IsAnyLeft && run.HasWrites && run.MustFollow(i));
            if ((mustWait || !TryGather(context, run, i, arguments)) && CommandRun.MayWake(_shards, entry))
            {
                return;
            }
        }
    }

    /// <summary>Executes a command whose reply is kept.</summary>
    private bool TryGather(CommandContext context, CommandRun run, int index, ArgumentBuffer arguments)
    {
        ref var entry = ref run.Entries[index];
        entry.BeginReply(run.Scratch);
        var isDone = TryExecuteEntry(context, run, index, arguments);
        entry.EndReply();
        return isDone;
    }

    private void ExecuteByShard(CommandContext context, CommandRun run, ArgumentBuffer arguments)
    {
        run.GroupByShard(_shards);
        if (run.MayWake(_shards))
        {
            ExecuteInOrder(context, run, arguments, asked: -1);
            return;
        }

        run.PrefetchGroups(_shards, 0, CommandRun.GroupPrefetchDistance);
        for (var i = 0; i < run.ShardCount; i++)
        {
            if (run.Scratch.IsFull || run.Begun >= 0)
            {
                return;
            }

            run.PrefetchGroups(_shards, i + CommandRun.GroupPrefetchDistance, 1);
            ExecuteGroup(context, run, arguments, _shards[run.ShardsInUse[i]]);
        }
    }

    /// <summary>Executes the commands of one shard under its lease, or leaves them to its holder.</summary>
    private void ExecuteGroup(CommandContext context, CommandRun run, ArgumentBuffer arguments, Shard shard)
    {
        var first = run.FirstOf(shard.Number);
        var room = context.Session.IsLoader ? Room.Made : _executor.EnsureRoom(context.NowMs);
        if (!shard.Lease.TryAcquire() && !shard.Lease.TryAcquireSpinning())
        {
            run.Load(context, run.Entries[first], arguments);
            _worker.Server.Platform.OnLeaseAwaited(_worker.Number, shard.Number);
            Leave(context, run, first);
            return;
        }

        if (run.DatabaseVersion != _worker.Server.Databases.Version)
        {
            shard.Lease.Release();
            _pause.IsAnyLeft = true;
            _pause.IsStale = true;
            return;
        }

        _executor.EndReads(context);
        try
        {
            for (var i = first; i >= 0 && !run.Scratch.IsFull && run.Begun < 0; i = run.Entries[i].NextOfShard)
            {
                if (!_pause.IsAnyLeft || !run.MustFollow(i))
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
        entry.BeginReply(run.Scratch);
        room = _executor.RoomFor(entry.Row, room);
        if (room == Room.OnItsWay)
        {
            _pause.WantRoom();
            return;
        }

        var errors = run.Scratch.Errors;
        if (room >= Room.None)
        {
            _executor.Refuse(context.Reply, room);
            run.Reject(index, context.Session);
        }
        else
        {
            var attempt = _executor.ExecuteAtHand(context);
            run.Cold?.EndUse(attempt == Attempt.Done);
            if (attempt != Attempt.Done)
            {
                _pause.Note(attempt, run, index, context.Session);
                return;
            }

            entry.Outcome = run.Scratch.Errors == errors ? RunOutcome.Executed : RunOutcome.Failed;
            run.OnExecuted(index, context.Session);
        }

        entry.EndReply();
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
            run.Reject(index, context.Session);
        }
        else if (room == Room.OnItsWay)
        {
            _pause.WantRoom();
            return false;
        }
        else
        {
            var attempt = _executor.TryExecuteKeyed(context);
            run.Cold?.EndUse(attempt == Attempt.Done);
            if (attempt != Attempt.Done)
            {
                _pause.Note(attempt, run, index, context.Session);
                _pause.Cold = attempt == Attempt.Cold ? index : -1;
                if (attempt == Attempt.LeaseTaken && context.Reply == run.Scratch)
                {
                    entry.NextOfShard = -1;
                    entry.Shard = context.Shard.Number;
                    Leave(context, run, index);
                }

                return false;
            }

            entry.Outcome = context.Reply.Errors == errors ? RunOutcome.Executed : RunOutcome.Failed;
            run.OnExecuted(index, context.Session);
        }

        entry.MovedBytes = entry.Length + context.Reply.Length - start;
        _clock.OnExecuted(run, index);
        return true;
    }

    /// <summary>Leaves commands to the holder of their shard's lease, once the run is suspended.</summary>
    private void Leave(CommandContext context, CommandRun run, int first)
    {
        _pause.IsAnyLeft = true;
        var group = _worker.Groups.Rent();
        group.Take(context.Session, run, _shards[run.Entries[first].Shard], first, context.NowMs);
        _deferred.Add(group);
    }

    /// <summary>Lets the session wait for what is left.</summary>
    /// <returns>False when there is nothing to wait for: it is to be tried again at once.</returns>
    private bool TrySuspend(Session session, CommandRun run, ArgumentBuffer arguments)
    {
        if (_pause.IsStale)
        {
            run.Rehash(_worker.Server.Databases, session.Database);
        }

        if (!run.IsSuspended)
        {
            run.Suspend(this, session, arguments, _worker.Input.Movable);
        }

        run.Waits += 1 + _deferred.Count; // What ends at once must not end the wait for the rest.
        // A collection that is made large is waited for alone: whether to let somebody pass is seen when that is done.
        _pause.LetsPass &= run.Cold is not { IsReading: true };
        var waitsForOthers = _pause.WantsOutput || _pause.LetsPass || _pause.GoesOn;
        run.Waits += run.TryStartReads(session, waitsForOthers, _worker.Context.NowMs) ? 1 : 0;
        if (_pause.WantsRoom || !run.TryMakeRoom(_worker.Context.NowMs))
        {
            run.Waits++;
            _worker.WaitForRoom(session);
        }

        if (_pause.WantsOutput)
        {
            run.Waits++;
            session.WaitForOutput();
        }

        run.Waits += _pause.LetsPass && session.TryWaitForTurn() ? 1 : 0;
        if (_pause.GoesOn)
        {
            run.Waits++;
            session.PostStep();
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

        run.OnSuspended(isLong: _pause.WantsOutput || _pause.LetsPass);
        session.WaitFor(run);
        if (run == _worker.Run)
        {
            _worker.ReplaceRun();
        }

        return true;
    }
}
