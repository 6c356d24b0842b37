namespace Strata.Tests.Simulation.Streams;

/// <summary>Whose a pending entry is.</summary>
/// <param name="Consumer">The consumer.</param>
/// <param name="Deliveries">How often it was given.</param>
internal readonly record struct PendingState(string Consumer, long Deliveries)
{
    /// <inheritdoc/>
    public override string ToString() => $"{Consumer}*{Deliveries}";
}
