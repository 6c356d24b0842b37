using System.Diagnostics;
using Strata.Server.Clients;
using Strata.Server.Commands.Model;
using Strata.Server.Resp;

namespace Strata.Server.Execution.Accounting;

/// <summary>Counts what became of commands that are executed one at a time, and hands the slow ones to the slow log.
/// Those that scripts call and that cannot be slow by themselves, as those of runs, share a reading of the clock: who
/// took long stands in the slow log by its script.</summary>
internal sealed unsafe class CommandAccount
{
    private readonly ExecutionWorker _worker;
    private readonly TimeProvider _clock;
    private readonly CommandRow[] _shared = new CommandRow[ServerLimits.MaxRunCommands];
    private int _sharedCount;
    private long _mark;
    private long _spent;

    public CommandAccount(ExecutionWorker worker)
    {
        _worker = worker;
        _clock = worker.Server.Platform.Clock;
    }

    /// <summary>Whether the commands of a client have taken so long, since <see cref="BeginTurn"/>, that others are to
    /// have their turn before its next.</summary>
    public bool IsTurnSpent => _spent > ServerLimits.TurnMicroseconds * Stopwatch.Frequency / 1_000_000;

    /// <summary>A client has its turn.</summary>
    public void BeginTurn()
    {
        Forget();
        _spent = 0;
    }

    /// <summary>Commands have taken time.</summary>
    /// <param name="ticks">Of the clock.</param>
    public void Spend(long ticks) => _spent += ticks;

    /// <summary>The clock's timestamp as a command begins: the reading at the end of the one before, if nothing has
    /// happened since but that this one was found (<see cref="Forget"/>).</summary>
    public long Start()
    {
        if (_sharedCount > 0)
        {
            EndShared(_clock.GetTimestamp());
        }

        if (_mark == 0)
        {
            _mark = _clock.GetTimestamp();
        }

        return _mark;
    }

    /// <summary>Time has passed that no command has taken.</summary>
    public void Forget()
    {
        if (_sharedCount > 0)
        {
            EndShared(_clock.GetTimestamp());
        }

        _mark = 0;
    }

    /// <summary>Whether commands that join runs share readings of the clock where scripts call them: not where those
    /// are to be logged, too, that have taken as little time as they do.</summary>
    public bool SharesReadings => _worker.SlowCommands.ThresholdNanoseconds > ServerLimits.ShortCommandNanoseconds;

    /// <summary>A command begins that a script calls and that shares a reading.</summary>
    public void StartShared()
    {
        if (_mark == 0)
        {
            _mark = _clock.GetTimestamp();
        }
    }

    /// <summary>Counts such a command; what it took is known when the clock is read next, which is at once where it has
    /// moved many bytes.</summary>
    /// <param name="context">What it was executed with; its reply is all there is.</param>
    /// <param name="row">The command.</param>
    /// <param name="request">Its arguments.</param>
    public void CountShared(CommandContext context, CommandRow row, in Request request)
    {
        if (request.ArgumentBytes + context.Reply.Length > ServerLimits.TimedAloneBytes)
        {
            var started = _mark;
            EndShared(started);
            _ = Count(context, row, request, started, replyStart: 0);
            return;
        }

        if (_sharedCount == _shared.Length)
        {
            EndShared(_clock.GetTimestamp());
        }

        _shared[_sharedCount++] = row;
        _worker.KeyAccount.Count(context, row, request, context.Reply.Length, _mark);
        CountFailed(context, row, replyStart: 0);
    }

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
        if (_sharedCount > 0)
        {
            EndShared(now);
        }

        var nanoseconds = NanosecondsOf(now - started);
        Spend(now - started);
        _worker.Statistics.Count(row, 1, nanoseconds, _worker.Options.LatencyTracking);
        _worker.Statistics.CountLookups(context);
        _worker.KeyAccount.Count(context, row, request, context.Reply.Length - replyStart, now);
        CountFailed(context, row, replyStart);
        if (nanoseconds >= _worker.SlowCommands.ThresholdNanoseconds)
        {
            _worker.SlowCommands.Add(context.Session, row, request, nanoseconds);
        }

        _mark = now;
        return now;
    }

    private static long NanosecondsOf(long ticks) => (long)(ticks * (1e9 / Stopwatch.Frequency));

    private void CountFailed(CommandContext context, CommandRow row, int replyStart)
    {
        if (context.Reply.Length > replyStart && context.Reply.Start[replyStart] == (byte)'-')
        {
            _worker.Statistics.CountFailed(row);
        }
    }

    private void EndShared(long now)
    {
        var nanoseconds = NanosecondsOf(now - _mark) / Math.Max(_sharedCount, 1);
        for (var i = 0; i < _sharedCount; i++)
        {
            _worker.Statistics.Count(_shared[i], 1, nanoseconds, _worker.Options.LatencyTracking);
        }

        _sharedCount = 0;
        _mark = now;
    }
}
