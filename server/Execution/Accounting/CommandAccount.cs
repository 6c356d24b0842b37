using System.Diagnostics;
using Strata.Server.Clients;
using Strata.Server.Commands.Model;
using Strata.Server.Resp;

namespace Strata.Server.Execution.Accounting;

/// <summary>Counts what became of commands that are executed one at a time, and hands the slow ones to the slow log.
/// </summary>
internal sealed unsafe class CommandAccount
{
    private readonly ExecutionWorker _worker;
    private readonly TimeProvider _clock;
    private long _mark;

    public CommandAccount(ExecutionWorker worker)
    {
        _worker = worker;
        _clock = worker.Server.Platform.Clock;
    }

    /// <summary>The clock's timestamp as a command begins: the reading at the end of the one before, if nothing has
    /// happened since but that this one was found (<see cref="Forget"/>).</summary>
    public long Start() => _mark != 0 ? _mark : _clock.GetTimestamp();

    /// <summary>Time has passed that no command has taken.</summary>
    public void Forget() => _mark = 0;

    /// <summary>Counts a command that was just executed.</summary>
    /// <param name="context">What it was executed with.</param>
    /// <param name="row">The command.</param>
    /// <param name="request">Its arguments.</param>
    /// <param name="started">The clock's timestamp at its start.</param>
    /// <param name="replyStart">Where its reply begins.</param>
    /// <returns>The reading at its end.</returns>
    public long Count(CommandContext context, CommandRow row, in Request request, long started, int replyStart)
    {
        var now = _clock.GetTimestamp();
        var nanoseconds = (long)((now - started) * (1e9 / Stopwatch.Frequency));
        _worker.Statistics.Count(row, 1, nanoseconds, _worker.Options.LatencyTracking);
        _worker.Statistics.CountLookups(context);
        if (context.Reply.Length > replyStart && context.Reply.Start[replyStart] == (byte)'-')
        {
            _worker.Statistics.CountFailed(row);
        }

        if (nanoseconds >= _worker.SlowCommands.ThresholdNanoseconds)
        {
            _worker.SlowCommands.Add(context.Session, row, request, nanoseconds);
        }

        _mark = now;
        return now;
    }
}
