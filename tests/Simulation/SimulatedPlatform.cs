using Strata.Storage.Runtime;

namespace Strata.Tests.Simulation;

/// <summary>Clock, pollers and random numbers that follow from a seed.</summary>
internal sealed class SimulatedPlatform(ulong seed) : Platform
{
    private readonly Random _random = new((int)(seed ^ (seed >> 32)));

    /// <inheritdoc/>
    public override TimeProvider Clock => SimulatedClock;

    public SimulatedClock SimulatedClock { get; } = new();

    /// <inheritdoc/>
    public override Random CreateRandom() => new(_random.Next());

    /// <inheritdoc/>
    public override void FillSecret(Span<byte> bytes) => _random.NextBytes(bytes);

    /// <inheritdoc/>
    public override IPoller CreatePoller() => new SimulatedPoller();
}
