using Strata.Server.Network.Transport.Tls.Native;
using Strata.Server.Runtime;

namespace Strata.Server.Network.Transport.Tls;

/// <summary>What a client sends over TLS: decrypted into the worker's buffer, or behind what is left over, and parsed
/// there. A record is decrypted whole or not at all, so that nothing waits within OpenSSL that nobody tells of.
/// </summary>
internal sealed unsafe class TlsPipeReader : TransportReader
{
    private readonly TlsLink _link;

    public TlsPipeReader(WorkerContext worker, TlsLink link)
        : base(worker)
    {
        _link = link;
    }

    /// <inheritdoc/>
    protected override int LeastRoom => TlsLibrary.LeastRoom;

    /// <inheritdoc/>
    protected override int Receive(out byte* start)
    {
        start = Worker.Input.Buffer;
        return Receive(start, MostAtOnce(ServerLimits.ReceiveBufferBytes));
    }

    /// <inheritdoc/>
    protected override int Receive(byte* buffer, int bytes)
    {
        var received = _link.Receive(buffer, bytes);
        Worker.CountRead(received);
        return received;
    }

    /// <inheritdoc/>
    /// <remarks>While memory is short it is little, of each of many clients, but a record.</remarks>
    protected override int MostAtOnce(int most) => Worker.Budget.IsFarOver ? TlsLibrary.LeastRoom : most;
}
