using System.Diagnostics;

namespace Strata.Server.Execution.Runs;

/// <summary>
/// Tells how long each command of a run took with few readings of the clock. Commands that move few bytes cannot be
/// slow by themselves and share a reading; one that moved many ends the stretch it is in. A stretch's time is
/// divided evenly, or by the bytes moved when there is a command that moved many.
/// </summary>
internal sealed class RunClock
{
    // What a command costs besides moving bytes, as the number of bytes that could be copied in that time.
    private const int BytesPerCommand = 2048;

    private readonly int[] _stretch = new int[ServerLimits.MaxRunCommands];
    private readonly TimeProvider _clock;
    private int _count;
    private long _started;
    private long _mark;

    /// <summary>Reads <paramref name="clock"/>.</summary>
    public RunClock(TimeProvider clock)
    {
        _clock = clock;
    }

    /// <summary>The longest time of a stretch whose commands share it evenly, nanoseconds.</summary>
    public long LongestSharedNanoseconds { get; private set; }

    /// <summary>The entry of that stretch that moved the most bytes: it stands for the stretch in the slow log.
    /// </summary>
    public int LongestSharedEntry { get; private set; }

    /// <summary>The last reading of the clock.</summary>
    public long Mark => _mark;

    /// <summary>From the first to the last.</summary>
    public long Elapsed => _mark - _started;

    /// <summary>Begins a run now.</summary>
    public void Start() => Start(_clock.GetTimestamp());

    /// <summary>Begins a run at a reading of the clock.</summary>
    public void Start(long timestamp)
    {
        _count = 0; // A run that ended early has left some.
        LongestSharedNanoseconds = 0;
        _started = timestamp;
        _mark = timestamp;
    }

    /// <summary>An entry was just executed; what it moved is noted in it.</summary>
    public void OnExecuted(CommandRun run, int entry)
    {
        _stretch[_count++] = entry;
        if (run.Entries[entry].MovedBytes > ServerLimits.TimedAloneBytes)
        {
            End(run);
        }
    }

    /// <summary>Notes in all entries executed since the last reading of the clock what they took.</summary>
    public void End(CommandRun run)
    {
        if (_count == 0)
        {
            return;
        }

        var now = _clock.GetTimestamp();
        var nanoseconds = (long)((now - _mark) * (1e9 / Stopwatch.Frequency));
        _mark = now;
        if (_count > 1 && run.Entries[_stretch[_count - 1]].MovedBytes > ServerLimits.TimedAloneBytes)
        {
            DivideByBytes(run, nanoseconds);
        }
        else
        {
            DivideEvenly(run, nanoseconds);
        }

        _count = 0;
    }

    private void DivideByBytes(CommandRun run, long nanoseconds)
    {
        var bytes = 0L;
        for (var i = 0; i < _count; i++)
        {
            bytes += BytesPerCommand + run.Entries[_stretch[i]].MovedBytes;
        }

        for (var i = 0; i < _count; i++)
        {
            ref var entry = ref run.Entries[_stretch[i]];
            entry.Nanoseconds = (long)((double)nanoseconds * (BytesPerCommand + entry.MovedBytes) / bytes);
        }
    }

    private void DivideEvenly(CommandRun run, long nanoseconds)
    {
        var heaviest = _stretch[0];
        for (var i = 0; i < _count; i++)
        {
            ref var entry = ref run.Entries[_stretch[i]];
            entry.Nanoseconds = nanoseconds / _count;
            heaviest = entry.MovedBytes > run.Entries[heaviest].MovedBytes ? _stretch[i] : heaviest;
        }

        if (nanoseconds > LongestSharedNanoseconds)
        {
            LongestSharedNanoseconds = nanoseconds;
            LongestSharedEntry = heaviest;
        }
    }
}
