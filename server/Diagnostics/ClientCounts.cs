namespace Strata.Server.Diagnostics;

/// <summary>How many clients came, and how many are there. Any thread may read it.</summary>
public sealed class ClientCounts
{
    private long _connected;

    /// <summary>Clients connected now.</summary>
    public long Connected => Volatile.Read(ref _connected);

    /// <summary>Clients accepted since the start.</summary>
    public long Received { get; private set; }

    /// <summary>Clients turned away since the start.</summary>
    public long Rejected { get; private set; }

    /// <summary>A client was accepted; on the first worker.</summary>
    internal void OnAccepted()
    {
        Received++;
        Interlocked.Increment(ref _connected);
    }

    /// <summary>A client was turned away; on the first worker.</summary>
    internal void OnRejected() => Rejected++;

    /// <summary>A client has gone. Any thread.</summary>
    internal void OnClosed() => Interlocked.Decrement(ref _connected);
}
