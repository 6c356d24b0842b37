using Strata.Storage.Runtime;

namespace Strata.Tests.Simulation;

/// <summary>Never waits and has no events: clients in this process come by the inbox, and completions of the device are
/// looked for at the start of every turn.</summary>
internal sealed class SimulatedPoller : IPoller
{
    private int _slots;

    /// <inheritdoc/>
    public int Add(int fd, uint mask, IEventHandler handler) => _slots++;

    /// <inheritdoc/>
    public bool Modify(int slot, int fd, uint mask) => true;

    /// <inheritdoc/>
    public void Remove(int slot, int fd)
    {
        // Nothing is watched.
    }

    /// <inheritdoc/>
    public void Wake()
    {
        // Nobody sleeps.
    }

    /// <inheritdoc/>
    public int Wait(int timeoutMs) => 0;

    /// <inheritdoc/>
    public void Dispatch(int count)
    {
        // There are none.
    }

    /// <inheritdoc/>
    public int DispatchWithin(IEventHandler executing) => 0;

    /// <inheritdoc/>
    public void Dispose()
    {
        // It holds nothing.
    }
}
