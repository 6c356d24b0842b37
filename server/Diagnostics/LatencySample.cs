namespace Strata.Server.Diagnostics;

/// <summary>The longest an event took within one second.</summary>
/// <param name="UnixSeconds">The second.</param>
/// <param name="Milliseconds">How long it took.</param>
public readonly record struct LatencySample(long UnixSeconds, long Milliseconds);
