using Strata.Server.Runtime;

namespace Strata.Server.Clients.Waiting;

/// <summary>A client whose commands wait until the disk has what was changed (WAITAOF), among those whom the worker
/// tells of that: at most once, whatever it does. On its worker's thread.</summary>
/// <param name="client">The client.</param>
internal sealed class SyncWait(WaitingClient client) : IDiskWaiter
{
    private bool _isListed;

    /// <summary>The client's command waits from now on.</summary>
    public void Enter()
    {
        if (!_isListed)
        {
            _isListed = true;
            client.Worker.AwaitDisk(this);
        }
    }

    /// <inheritdoc/>
    public bool TryEndAwait(Durability durability)
    {
        if (client.Blocked is { AwaitedSequence: > 0 } blocked && blocked.AwaitedSequence > durability.Durable)
        {
            return false;
        }

        _isListed = false;
        client.Blocked?.Wake();
        return true;
    }
}
