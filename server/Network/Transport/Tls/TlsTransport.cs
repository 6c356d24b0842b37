using System.Diagnostics.CodeAnalysis;
using Strata.Server.Network.Transport.Sockets;
using Strata.Server.Runtime;

namespace Strata.Server.Network.Transport.Tls;

/// <summary>A client's socket, and TLS over it: the handshake is made as the client sends its part, and what is sent
/// and received goes through OpenSSL on the worker's own thread.</summary>
internal sealed class TlsTransport : SocketTransport
{
    [SuppressMessage("Usage", "CA2213", Justification = "Disposed of by name.")]
    private readonly TlsLink _link;

    /// <summary>Takes over an accepted socket that does not block.</summary>
    /// <param name="worker">Whose loop watches it.</param>
    /// <param name="tls">TLS on that worker.</param>
    /// <param name="context">What the connection is made from.</param>
    /// <param name="fd">The socket.</param>
    public TlsTransport(WorkerContext worker, TlsWorker tls, TlsContext context, int fd)
        : this(worker, new ClientSocket(fd), new TlsLink(worker, tls, context))
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
        => _link.TryBegin(Descriptor, connection) && base.TryStart(connection, interest);

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
