namespace Strata.Server.Diagnostics;

/// <summary>
/// Work that is done in short turns, with pauses in which the processor is others'. A thread that has slept for long
/// may run on for a millisecond before the kernel takes the processor from it for one that serves clients (the lag of
/// EEVDF: Stoica and Abdel-Wahab 1995), whatever their priorities; where it sleeps itself it does not.
/// </summary>
/// <param name="clock">The clock.</param>
internal sealed class ShortTurns(TimeProvider clock)
{
    private long _beganTimestamp = clock.GetTimestamp();

    /// <summary>Pauses, if the turn has been long enough. No lock is held that others wait for.</summary>
    public void EndIfLong()
    {
        if (clock.GetElapsedTime(_beganTimestamp) >= ObservationLimits.MetricsTurn)
        {
            End();
        }
    }

    /// <summary>Pauses.</summary>
    public void End()
    {
        Thread.Sleep(ObservationLimits.MetricsPause);
        _beganTimestamp = clock.GetTimestamp();
    }
}
