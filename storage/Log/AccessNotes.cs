using System.Runtime.CompilerServices;

namespace Strata.Storage.Log;

/// <summary>What accesses to a log's records are noted by in their headers: the time (<see cref="AccessClock"/>), or
/// minutes and a counter (<see cref="AccessFrequency"/>). A value, to lie beside what every look-up needs.</summary>
internal struct AccessNotes
{
    private int _clock;
    private int _minute;

    /// <summary>How often records are accessed, where that is kept, and not when; else null. Any thread: what records
    /// have until then is taken for the other, as in Redis.</summary>
    public AccessFrequency? Frequencies { get; set; }

    /// <summary>What a new record has.</summary>
    public readonly int First => Frequencies == null ? _clock : AccessFrequency.OfNew(_minute);

    /// <summary>What a key has whose record is written anew: how often it was accessed goes on.</summary>
    /// <param name="accessed">What the record before has.</param>
    public readonly int Anew(int accessed) => Frequencies == null ? _clock : accessed;

    /// <summary>Moves the clock on, as maintenance does.</summary>
    /// <param name="nowMs">Milliseconds since 1970.</param>
    public void SetTime(long nowMs)
    {
        _clock = AccessClock.At(nowMs);
        _minute = AccessFrequency.MinuteAt(nowMs);
    }

    /// <summary>What a record has once it is accessed again.</summary>
    /// <param name="accessed">What it has had.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public readonly int Again(int accessed)
    {
        var frequencies = Frequencies;
        return frequencies == null ? _clock : frequencies.Counted(accessed, _minute);
    }
}
