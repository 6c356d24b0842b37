using Strata.Server.Clients;
using Strata.Server.Commands.Model;
using Strata.Server.Execution.Accounting;
using Strata.Server.Resp;
using Strata.Storage.Memory;
using Strata.Storage.Sharding;

namespace Strata.Server.Execution.Runs;

/// <summary>
/// Executes a run on one worker, in wire order: nobody sees what a command does before what those before it do, nor
/// does the journal. Replies go straight to the output, which is sent between commands when it is much. Where a command
/// has to wait (its lease is taken, its record is on the device, memory is short) the session does, and the commands
/// behind it; only what they will need from the device is read with what it needs.
/// </summary>
internal sealed unsafe class RunExecutor
{
    private readonly ExecutionWorker _worker;
    private readonly CommandExecutor _executor;
    private readonly ShardMap _shards;
    private readonly RunClock _clock;
    private readonly RunAccount _account;
    private RunPause _pause;

    public RunExecutor(ExecutionWorker worker)
    {
        _worker = worker;
        _clock = new RunClock(worker.Server.Platform.Clock);
        _executor = worker.Executor;
        _account = worker.RunAccount;
        _shards = worker.Server.Shards;
    }

    /// <summary>Executes the run.</summary>
    /// <param name="session">Whose it is.</param>
    /// <param name="run">The run.</param>
    /// <param name="arguments">Its arguments.</param>
    /// <param name="isLast">Whether the replies are sent next, and nothing else is executed.</param>
    /// <returns>False when some of it must wait: the session goes on when all has been executed.</returns>
    public bool TryExecute(Session session, CommandRun run, ArgumentBuffer arguments, bool isLast)
    {
        _clock.Start();
        var isDone = TryExecuteAll(session, Prepare(session, run, isLast), run, arguments);
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
        run.EndGroup(session, _worker.Groups);
        if (run.DatabaseVersion != _worker.Server.Databases.Version)
        {
            run.Rehash(_worker.Server.Databases, session.Database);
        }

        run.PrefetchBuckets(_shards);
        var start = _worker.Reply.Length;
        if (!TryExecuteAll(session, Prepare(session, run, isLast: false), run, run.Input.Arguments))
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
        run.ReturnGroup(_worker.Groups);
        _worker.Runs.Return(run);
    }

    private CommandContext Prepare(Session session, CommandRun run, bool isLast)
    {
        var context = _worker.Context;
        context.Client = session;
        context.Reply = _worker.Reply;
        (context.CommandRoom, context.Taken) = (run.CommandRoom, run.Input.Bytes);
        context.Borrower = isLast && run.Count == 1 ? _worker.Number : Quiescence.Nobody;
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

    /// <summary>Executes what is left.</summary>
    /// <param name="session">Whose they are.</param>
    /// <param name="context">What they are executed with.</param>
    /// <param name="run">The run.</param>
    /// <param name="arguments">Its arguments, as long as it is not suspended.</param>
    /// <returns>False when some must wait: the run is suspended.</returns>
    private bool TryExecuteAll(Session session, CommandContext context, CommandRun run, ArgumentBuffer arguments)
    {
        while (true)
        {
            _pause = default;
            var own = run.IsSuspended ? run.Input.Arguments : arguments;
            if (TryExecuteInOrder(session, context, run, own))
            {
                return true;
            }

            if (_pause.IsCold && !_worker.Budget.IsFarOver)
            {
                AskAhead(context, run, own);
            }

            if (TrySuspend(session, run, arguments))
            {
                return false;
            }
        }
    }

    /// <summary>Executes commands up to the first that has to wait, and puts the replies of those that others have
    /// executed into the output.</summary>
    private bool TryExecuteInOrder(Session session, CommandContext context, CommandRun run, ArgumentBuffer arguments)
    {
        if (run.IsSuspended && session.Connection is { IsClosed: false, Output.IsAboveHighWater: true })
        {
            _pause.WantsOutput = true;
            return false;
        }

        run.PrefetchRecords(_shards, run.RepliesFrom, CommandRun.PrefetchDistance);
        for (; run.RepliesFrom < run.Count; run.RepliesFrom++)
        {
            if (_worker.Reply.Length >= ServerLimits.ReplyFlushBytes && run.RepliesFrom > 0 && !TryFlush(session))
            {
                return false;
            }

            ref readonly var entry = ref run.Entries[run.RepliesFrom];
            if (entry.Outcome != RunOutcome.Deferred)
            {
                if (entry.HasLargeReply && _worker.Reply.Length > 0 && !TryFlush(session))
                {
                    return false; // Behind others it would be copied.
                }

                entry.PutReply(_worker.Reply);
                continue;
            }

            if (MustLetServe(session))
            {
                return false;
            }

            run.PrefetchRecords(_shards, run.RepliesFrom + CommandRun.PrefetchDistance, 1);
            if (!TryExecuteNext(context, run, arguments))
            {
                return false;
            }
        }

        return true;
    }

    /// <summary>Whether others come first whom a command of the client has woken, or has met.</summary>
    private bool MustLetServe(Session session) => session.IsOthersTurn && (_pause.LetsPass = true);

    /// <summary>Sends the replies so far, so that those of a run do not gather. Of a client that has gone the rest is
    /// executed all the same.</summary>
    /// <returns>False when the client has to read some first.</returns>
    private bool TryFlush(Session session)
    {
        if (session.Connection.TryFlush() || session.Connection.IsClosed)
        {
            return true;
        }

        _pause.WantsOutput = true;
        return false;
    }

    /// <summary>Asks for the records that the commands behind the next one need, as that does for its own, so that all
    /// are read at once.</summary>
    private void AskAhead(CommandContext context, CommandRun run, ArgumentBuffer arguments)
    {
        for (var i = run.RepliesFrom + 1; i < run.Count; i++)
        {
            run.PrefetchRecords(_shards, i + CommandRun.PrefetchDistance, 1);
            run.Load(context, run.Entries[i], arguments);
            _executor.AskAhead(context);
            context.Cold!.EndUse(isDone: false);
        }
    }

    /// <summary>Executes the next command, under a lease of its own if it needs one.</summary>
    private bool TryExecuteNext(CommandContext context, CommandRun run, ArgumentBuffer arguments)
    {
        ref var entry = ref run.Entries[run.RepliesFrom];
        run.Load(context, entry, arguments);
        var errors = context.Reply.Errors;
        var start = context.Reply.Length;
        var room = _executor.EnsureRoom(context, entry.Row.Flags);
        if (room >= Room.None)
        {
            run.Reject(context.Session);
        }
        else if (room == Room.OnItsWay)
        {
            _pause.WantsRoom = true;
            return false;
        }
        else
        {
            var attempt = _executor.TryExecuteKeyed(context);
            run.Cold?.EndUse(attempt == Attempt.Done);
            if (attempt != Attempt.Done)
            {
                _pause.Note(attempt);
                run.OnLeft(context.Session);
                return false;
            }

            entry.Outcome = context.Reply.Errors == errors ? RunOutcome.Executed : RunOutcome.Failed;
            run.OnExecuted(context.Session);
        }

        entry.MovedBytes = entry.Length + context.Reply.Length - start;
        _clock.OnExecuted(run, run.RepliesFrom);
        return true;
    }

    /// <summary>Lets the session wait for what is left.</summary>
    /// <returns>False when there is nothing to wait for: it is to be tried again at once.</returns>
    private bool TrySuspend(Session session, CommandRun run, ArgumentBuffer arguments)
    {
        if (!run.IsSuspended)
        {
            run.Suspend(this, session, arguments, _worker.Input.Movable);
        }

        run.Waits += _pause.WantsLease ? 2 : 1; // What ends at once must not end the wait for the rest.
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

        // Counted before others have commands: whoever executes them writes to their entries.
        _clock.End(run);
        if (_pause.WantsLease)
        {
            run.Leave(session, _shards, _worker.Groups, _worker.Context.NowMs);
        }

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
