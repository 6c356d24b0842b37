using System.Diagnostics;
using Strata.Server.Commands;
using Strata.Server.Resp;
using Strata.Storage.Sharding;
using Strata.Storage.Tiering;

namespace Strata.Server.Sessions;

/// <summary>Executes commands without a key, or with several, one at a time on one worker.</summary>
internal sealed class LoneExecutor
{
    private readonly ServerWorker _worker;

    public LoneExecutor(ServerWorker worker)
    {
        _worker = worker;
    }

    /// <summary>Executes a command that passed all checks.</summary>
    /// <returns>False when something it needs is not at hand: it was not executed, and the session waits.</returns>
    public bool TryExecute(Session session, CommandRow row, in Request request)
    {
        var context = _worker.Context;
        context.Session = session;
        context.Reply = _worker.Reply;
        context.Row = row;
        context.Request = request;
        context.Cold = session.Cold ?? _worker.Tier?.RentSet();
        ColdReadSet.Current = context.Cold;
        var room = _worker.Executor.EnsureRoom(context);
        if (room == Room.OnItsWay)
        {
            session.Cold = context.Cold;
            session.WaitForRoom();
            return false;
        }

        if (room == Room.None)
        {
            _worker.Statistics.CountRejected(row);
        }
        else if (!TryExecute(context))
        {
            return false;
        }

        session.Cold = null;
        _worker.Executor.EndCold(context.Cold, context.NowMs);
        return true;
    }

    private bool TryExecute(CommandContext context)
    {
        var (session, row) = (context.Session, context.Row);
        var errors = context.Reply.Errors;
        var started = Stopwatch.GetTimestamp();
        Attempt attempt;
        while ((attempt = Execute(context, out var taken)) != Attempt.Done)
        {
            if (attempt == Attempt.LeaseTaken)
            {
                session.Cold = context.Cold;
                session.WaitForLease(taken!);
                return false;
            }

            if (session.TryWaitForCold(context.Cold!))
            {
                return false;
            }
        }

        var nanoseconds = (long)((Stopwatch.GetTimestamp() - started) * (1e9 / Stopwatch.Frequency));
        _worker.Statistics.Count(row, 1, nanoseconds, _worker.Options.LatencyTracking);
        _worker.Statistics.CountLookups(context);
        if (context.Reply.Errors != errors)
        {
            _worker.Statistics.CountFailed(row);
        }

        if (nanoseconds >= _worker.SlowCommands.ThresholdNanoseconds)
        {
            _worker.SlowCommands.Add(session, row, context.Request, nanoseconds);
        }

        return true;
    }

    private Attempt Execute(CommandContext context, out Shard? taken)
    {
        if (context.Row.NeedsLeases)
        {
            return _worker.Executor.ExecuteUnderLeases(context, out taken);
        }

        taken = null;
        return _worker.Executor.ExecuteUnleased(context);
    }
}
