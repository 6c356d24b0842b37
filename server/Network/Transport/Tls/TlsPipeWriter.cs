using Strata.Server.Network.Transport.Sockets;
using Strata.Server.Runtime;

namespace Strata.Server.Network.Transport.Tls;

/// <summary>What goes to a client over TLS: encrypted from where the replies lie as far as the socket takes it. What it
/// does not take waits as it is, but for the last piece, which is encrypted already.</summary>
internal sealed unsafe class TlsPipeWriter : SocketPipeWriter
{
    private readonly TlsLink _link;

    public TlsPipeWriter(WorkerContext worker, ClientSocket socket, TlsLink link)
        : base(worker, socket)
    {
        _link = link;
    }

    /// <inheritdoc/>
    public override long UnflushedBytes => base.UnflushedBytes + _link.UnsentBytes;

    /// <inheritdoc/>
    public override bool Gathers => false; // It is copied as it is encrypted.

    /// <inheritdoc/>
    public override long CapacityBytes => base.CapacityBytes + _link.UnsentBytes;

    /// <inheritdoc/>
    protected override long SendNow(byte* bytes, long length) => _link.Send(bytes, length);
}
