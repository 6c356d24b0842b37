namespace Strata.Tests.Simulation;

/// <summary>What a client does: it sends the requests of a batch together, and the next batch when all are answered.
/// </summary>
/// <param name="Batches">The batches, none of them empty.</param>
/// <param name="IsCutOff">Whether the connection breaks while the last batch is sent or answered.</param>
internal sealed record ClientScript(IReadOnlyList<IReadOnlyList<SimulatedRequest>> Batches, bool IsCutOff);
