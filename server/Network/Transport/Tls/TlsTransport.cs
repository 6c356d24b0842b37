using System.Diagnostics.CodeAnalysis;
using Strata.Server.Network.Transport.Sockets;
using Strata.Server.Runtime;

namespace Strata.Server.Network.Transport.Tls;

/// <summary>A client's socket, and TLS over it: when the handshake is over, what is sent and received goes through
/// OpenSSL on the worker's own thread.</summary>
internal sealed class TlsTransport : SocketTransport
{
    [SuppressMessage("Usage", "CA2213", Justification = "Disposed of by name.")]
    private readonly TlsLink _link;

    /// <summary>Takes over a connection.</summary>
    /// <param name="worker">Whose loop watches its socket.</param>
    /// <param name="engine">That worker's.</param>
    /// <param name="ends">The connection.</param>
    public TlsTransport(WorkerContext worker, TlsEngine engine, TlsConnection ends)
        : this(worker, new ClientSocket(ends.Socket), new TlsLink(engine, ends, worker.Budget))
    {
    }

    private TlsTransport(WorkerContext worker, ClientSocket socket, TlsLink link)
        : base(
            worker, socket, isLocal: false, new TlsPipeReader(worker, link), new TlsPipeWriter(worker, socket, link))
    {
        _link = link;
    }

    /// <inheritdoc/>
    public override bool TryStart(Connection connection, uint interest)
        => _link.TryOpen() && base.TryStart(connection, interest);

    /// <inheritdoc/>
    public override bool TryEndOutput()
    {
        _link.EndOutput();
        return base.TryEndOutput();
    }

    /// <inheritdoc/>
    protected override void Dispose(bool disposing)
    {
        _link.EndOutput();
        _link.Dispose();
        base.Dispose(disposing);
    }
}
