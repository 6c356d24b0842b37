using System.Threading.Channels;

namespace Strata.Server.Hosting.Live;

/// <summary>What one live page has still to read: a few documents, which it shares with all others. One that does not
/// read them in time is dropped.</summary>
internal sealed class LiveStream : IDisposable
{
    private readonly Channel<byte[]> _documents = Channel.CreateBounded<byte[]>(
        new BoundedChannelOptions(ObservationLimits.LiveBacklog) { SingleReader = true });

    private readonly CancellationTokenSource _dropped = new();

    /// <summary>Cancelled when the page was too slow: nobody waits for it any more.</summary>
    public CancellationToken Dropped => _dropped.Token;

    /// <summary>The documents as they come; it ends with the server, or when the stream is dropped.</summary>
    public IAsyncEnumerable<byte[]> ReadAllAsync(CancellationToken cancellation)
        => _documents.Reader.ReadAllAsync(cancellation);

    /// <summary>Nothing follows.</summary>
    public void End() => _documents.Writer.TryComplete();

    /// <inheritdoc/>
    public void Dispose() => _dropped.Dispose();

    /// <summary>Gives it one more.</summary>
    /// <returns>False where too many wait: it is to be dropped.</returns>
    internal bool TryAdd(byte[] document) => _documents.Writer.TryWrite(document);

    /// <summary>Ends it at once, whoever writes to the page.</summary>
    internal void Drop()
    {
        End();
        _ = _dropped.CancelAsync(); // Whoever listens may close the stream, for which others must be done with it.
    }
}
