using Strata.Server.Runtime;

namespace Strata.Server.Diagnostics;

/// <summary>What one worker counts. Any thread may read it.</summary>
/// <param name="Worker">Bytes and turns.</param>
/// <param name="Statistics">Commands.</param>
/// <param name="Peaks">Its greatest turns.</param>
public sealed record WorkerCounters(WorkerContext Worker, CommandStatistics Statistics, TurnPeaks Peaks);
