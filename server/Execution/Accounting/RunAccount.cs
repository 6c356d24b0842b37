using Strata.Server.Clients;
using Strata.Server.Commands.Model;
using Strata.Server.Diagnostics.Traffic;
using Strata.Server.Diagnostics.Traffic.Curve;
using Strata.Server.Execution.Runs;
using Strata.Server.Resp;

namespace Strata.Server.Execution.Accounting;

/// <summary>Counts what became of the commands of a run, on the worker of their session, and hands the slow ones to the
/// slow log.</summary>
internal sealed unsafe class RunAccount
{
    private readonly ExecutionWorker _worker;
    private readonly KeyTraffic _traffic;
    private readonly CurveSampler _sampler;

    public RunAccount(ExecutionWorker worker)
    {
        _worker = worker;
        _traffic = worker.Traffic;
        _sampler = worker.Sampler;
    }

    /// <summary>Counts all entries; they have been executed.</summary>
    public void Count(Session session, CommandRun run, RunClock clock, ArgumentBuffer arguments)
    {
        _worker.Statistics.CountLookups(_worker.Context);
        _worker.Account.Forget();
        _worker.Account.Spend(clock.Elapsed);
        session.Cost.Count(run.Count, session.IsInTransaction ? 0 : clock.Elapsed); // EXEC has its own time.
        var slow = _worker.SlowCommands.ThresholdNanoseconds;
        var bytes = 0L;
        var drawnBelow = _sampler.Threshold;
        for (var i = 0; i < run.Count;)
        {
            // Runs are mostly of one command: count stretches of it at once.
            ref readonly var entry = ref run.Entries[i];
            var end = i + 1;
            while (end < run.Count && IsAlike(entry, run.Entries[end]))
            {
                end++;
            }

            CountStretch(entry, end - i, session.IsLoader);
            for (; i < end; i++)
            {
                bytes += run.Entries[i].MovedBytes;
                if (CurveSampler.IsDrawn(run.Entries[i].Key.Hash, drawnBelow))
                {
                    _worker.KeyAccount.Draw(session, run, i);
                }

                if (run.Entries[i].Nanoseconds >= slow)
                {
                    Watch(session, run.Entries[i], arguments, run.Entries[i].Nanoseconds);
                }
            }
        }

        if (!_traffic.Passes(run.Count, bytes))
        {
            _worker.KeyAccount.Note(session, run, bytes, clock.Mark);
        }

        // No command of such a stretch was timed by itself. It must not be hidden that one of them took long.
        ref readonly var heaviest = ref run.Entries[clock.LongestSharedEntry];
        if (clock.LongestSharedNanoseconds >= slow && heaviest.Nanoseconds < slow)
        {
            Watch(session, heaviest, arguments, clock.LongestSharedNanoseconds);
        }
    }

    private static bool IsAlike(in RunEntry first, in RunEntry second)
        => first.Row == second.Row && first.Nanoseconds == second.Nanoseconds && first.Outcome == second.Outcome;

    private void CountStretch(in RunEntry entry, int count, bool isLoader)
    {
        var statistics = _worker.Statistics;
        if (entry.Outcome == RunOutcome.Rejected)
        {
            statistics.CountRejected(entry.Row, count);
        }
        else if (entry.Outcome != RunOutcome.Deferred)
        {
            statistics.Count(entry.Row, count, entry.Nanoseconds, _worker.Options.LatencyTracking);
            _sampler.Reads += isLoader || entry.Row.Has(CommandFlags.Write) ? 0 : count;
            if (entry.Outcome == RunOutcome.Failed)
            {
                statistics.CountFailed(entry.Row, count);
            }
        }
    }

    private void Watch(Session session, in RunEntry entry, ArgumentBuffer arguments, long nanoseconds)
    {
        if (entry.Outcome is RunOutcome.Executed or RunOutcome.Failed)
        {
            var request = new Request(entry.Start, arguments.At(entry.FirstArgument), entry.ArgumentCount);
            _worker.SlowCommands.Add(session, entry.Row, request, nanoseconds);
        }
    }
}
