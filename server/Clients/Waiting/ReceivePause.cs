namespace Strata.Server.Clients.Waiting;

/// <summary>A client sends no more until there is memory for what it has begun, or may begin.</summary>
/// <param name="client">The client.</param>
internal sealed class ReceivePause(WaitingClient client) : SuspendedWork
{
    /// <inheritdoc/>
    public override long MemoryBytes => 0;

    /// <inheritdoc/>
    public override bool TryMakeRoom(long nowMs) => client.MayReceive;

    /// <inheritdoc/>
    public override bool TryContinue(Session session) => true;

    /// <inheritdoc/>
    public override void End()
    {
        // It holds nothing.
    }
}
