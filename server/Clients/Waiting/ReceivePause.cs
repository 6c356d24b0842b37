namespace Strata.Server.Clients.Waiting;

/// <summary>A client that has begun a command sends no more of it until there is memory.</summary>
internal sealed class ReceivePause : SuspendedWork
{
    /// <inheritdoc/>
    public override long MemoryBytes => 0;

    /// <inheritdoc/>
    public override bool TryContinue(Session session) => true;

    /// <inheritdoc/>
    public override void End()
    {
        // It holds nothing.
    }
}
