using Strata.Storage.Runtime;

namespace Strata.Tests.Simulation;

/// <summary>Clock, pollers and random numbers that follow from a seed.</summary>
internal sealed class SimulatedPlatform(ulong seed) : Platform
{
    private readonly Random _random = new((int)(seed ^ (seed >> 32)));

    /// <inheritdoc/>
    public override bool HasThreads => false;

    /// <inheritdoc/>
    public override TimeProvider Clock => SimulatedClock;

    public SimulatedClock SimulatedClock { get; } = new();

    /// <summary>Called when a worker waits for others, on its thread.</summary>
    public Action? OthersAwaited { get; set; }

    /// <summary>Is told of workers that wait for leases, with both numbers.</summary>
    public Action<int, int>? LeaseAwaited { get; set; }

    /// <inheritdoc/>
    public override void OnLeaseAwaited(int worker, int lease) => LeaseAwaited?.Invoke(worker, lease);

    /// <inheritdoc/>
    public override void AwaitOthers(ref SpinWait wait)
    {
        if (OthersAwaited == null)
        {
            throw new InvalidOperationException("A worker waits for others, which on one thread never go on.");
        }

        OthersAwaited();
    }

    /// <inheritdoc/>
    public override Random CreateRandom() => new(_random.Next());

    /// <inheritdoc/>
    public override void FillSecret(Span<byte> bytes) => _random.NextBytes(bytes);

    /// <inheritdoc/>
    public override IPoller CreatePoller() => new SimulatedPoller();
}
