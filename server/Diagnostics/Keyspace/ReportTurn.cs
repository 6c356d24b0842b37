namespace Strata.Server.Diagnostics.Keyspace;

/// <summary>Which report of keys by name a worker makes: one at a time, since each holds megabytes until it is whole,
/// and nobody who reads it can be in a hurry. It belongs to the worker.</summary>
internal sealed class ReportTurn
{
    private object? _report;
    private long _steppedMs;

    /// <summary>Takes the turn, if it is free, or who has it was held up for long.</summary>
    /// <param name="report">What wants it, or has it.</param>
    /// <param name="nowMs">The time.</param>
    public bool TryTake(object report, long nowMs)
    {
        if (_report != null && _report != report
            && Math.Abs(nowMs - _steppedMs) < ObservationLimits.ReportTurnMs)
        {
            return false;
        }

        (_report, _steppedMs) = (report, nowMs);
        return true;
    }

    /// <summary>Ends a turn; of another it changes nothing.</summary>
    public void End(object report)
    {
        if (_report == report)
        {
            _report = null;
        }
    }
}
