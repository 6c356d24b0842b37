namespace Strata.Server.Clients.Waiting;

/// <summary>A client sends no more until there is memory for what it has begun, or may begin.</summary>
/// <param name="worker">The client's worker.</param>
internal sealed class ReceivePause(ClientWorker worker) : SuspendedWork
{
    /// <inheritdoc/>
    public override long MemoryBytes => 0;

    /// <inheritdoc/>
    public override bool TryMakeRoom(long nowMs) => worker.Tier is not { IsCrowded: true };

    /// <inheritdoc/>
    public override bool TryContinue(Session session) => true;

    /// <inheritdoc/>
    public override void End()
    {
        // It holds nothing.
    }
}
