namespace Strata.Storage.Log;

/// <summary>How the counters of accesses behave.</summary>
/// <param name="LogFactor">The larger, the more accesses a counter takes to grow: with 0 each counts, with 10 it is at
/// its end after about a million (lfu-log-factor).</param>
/// <param name="MinutesPerDecay">Minutes without an access that take one off a counter; 0 for never (lfu-decay-time).
/// </param>
public sealed record FrequencySettings(int LogFactor, int MinutesPerDecay);
