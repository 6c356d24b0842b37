namespace Strata.Tests.Simulation;

/// <summary>What became of a run.</summary>
/// <param name="Failure">What was not as it must be; null when all was.</param>
/// <param name="HistoryHash">Equal for runs whose clients saw the same.</param>
/// <param name="Operations">Requests that were sent.</param>
/// <param name="IsUndecided">Whether there were too many orders to tell that there is none.</param>
/// <param name="Waits">Times a worker has waited for others in the midst of its turn.</param>
/// <param name="NarrowWaits">Times a script has waited for one of the few leases that it may wait for.</param>
/// <param name="Told">Answers that clients have kept, and were told of a change of.</param>
internal sealed record SimulationOutcome(
    string? Failure, string HistoryHash, int Operations, bool IsUndecided, int Waits, int NarrowWaits, int Told);
