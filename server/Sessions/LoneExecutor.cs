using System.Diagnostics;
using Strata.Server.Commands;
using Strata.Server.Resp;
using Strata.Storage.Sharding;

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
    /// <returns>False when a lease it needs is taken: it was not executed, and the session waits.</returns>
    public bool TryExecute(Session session, CommandRow row, in Request request)
    {
        var context = _worker.Context;
        context.Session = session;
        context.Reply = _worker.Reply;
        context.Row = row;
        context.Request = request;
        if (!_worker.Executor.HasRoom(context))
        {
            _worker.Statistics.CountRejected(row);
            return true;
        }

        var errors = context.Reply.Errors;
        var started = Stopwatch.GetTimestamp();
        var taken = Execute(context);
        if (taken != null)
        {
            session.WaitForLease(taken);
            return false;
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
            _worker.SlowCommands.Add(session, row, request, nanoseconds);
        }

        return true;
    }

    private Shard? Execute(CommandContext context)
    {
        if (context.Row.NeedsLeases)
        {
            return _worker.Executor.ExecuteUnderLeases(context);
        }

        _worker.Executor.ExecuteLeased(context);
        return null;
    }
}
