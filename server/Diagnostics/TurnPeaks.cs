namespace Strata.Server.Diagnostics;

/// <summary>The longest turn of a worker's loop, and that with the most commands, since CONFIG RESETSTAT last said that
/// a period begins. The worker alone writes; any thread reads.</summary>
public sealed class TurnPeaks
{
    private long _ticksBefore;
    private long _commandsBefore;
    private long _longestTicks;
    private long _mostCommands;
    private int _period;

    /// <summary>Notes the turn that has ended.</summary>
    /// <param name="turnTicks">What all turns took so far, in ticks of
    /// <see cref="System.Diagnostics.Stopwatch"/>.</param>
    /// <param name="commands">What was executed in them.</param>
    /// <param name="period">How many periods have begun.</param>
    public void Note(long turnTicks, long commands, int period)
    {
        var ticks = turnTicks - _ticksBefore;
        var executed = commands - _commandsBefore;
        _ticksBefore = turnTicks;
        _commandsBefore = commands;
        var isFirst = period != _period;
        if (isFirst || ticks > _longestTicks)
        {
            Volatile.Write(ref _longestTicks, ticks);
        }

        if (isFirst || executed > _mostCommands)
        {
            Volatile.Write(ref _mostCommands, executed);
        }

        if (isFirst)
        {
            Volatile.Write(ref _period, period); // Last: who reads it finds the figures of that period.
        }
    }

    /// <summary>The longest turn of a period, in the same ticks; 0 where none has ended in it.</summary>
    public long LongestTicks(int period) => Volatile.Read(ref _period) == period ? Volatile.Read(ref _longestTicks) : 0;

    /// <summary>The most commands of a turn of a period; 0 where none has ended in it.</summary>
    public long MostCommands(int period) => Volatile.Read(ref _period) == period ? Volatile.Read(ref _mostCommands) : 0;
}
