using Strata.Server.Runtime;
using Strata.Storage.Memory;

namespace Strata.Server.Network.Transport.Tls;

/// <summary>One client's TLS: the handshake, in its turn among those of the worker, and then the bytes. Worker's
/// thread.</summary>
internal sealed unsafe class TlsLink : IDisposable
{
    private readonly TlsWorker _tls;
    private readonly TlsContext _context;
    private TlsConnection? _ends;
    private MemoryCharge _charge;
    private long _unsentBytes;

    public TlsLink(WorkerContext worker, TlsWorker tls, TlsContext context)
    {
        _tls = tls;
        _context = context;
        _charge = new MemoryCharge(worker.Budget);
    }

    /// <summary>Bytes that were encrypted, and that the socket has not taken.</summary>
    public long UnsentBytes => _unsentBytes;

    /// <summary>Where the link stands among the worker's handshakes, while its own is not over.</summary>
    public LinkedListNode<Handshake>? Handshake { get; set; }

    /// <summary>Why it has ended.</summary>
    public string Problem => _ends?.Problem ?? "";

    /// <summary>Begins.</summary>
    /// <param name="socket">The socket, which stays the caller's.</param>
    /// <param name="connection">Whose it is.</param>
    /// <returns>False when the system gives no memory.</returns>
    public bool TryBegin(int socket, Connection connection)
    {
        _ends = _tls.Connect(_context, socket);
        if (_ends == null)
        {
            return false;
        }

        _charge.Set(ServerLimits.BytesPerHandshake);
        _tls.Begin(this, connection);
        return true;
    }

    /// <inheritdoc cref="TlsConnection.Receive"/>
    public int Receive(byte* buffer, int bytes)
    {
        if (_ends == null)
        {
            return -1;
        }

        var received = Handshake == null ? _ends.Receive(buffer, bytes) : ShakeHands(_ends, buffer, bytes);
        NoteUnsent(_ends);
        return received;
    }

    /// <inheritdoc cref="TlsConnection.Send"/>
    public long Send(byte* bytes, long length)
    {
        if (_ends == null)
        {
            return -1;
        }

        var sent = _ends.Send(bytes, Math.Min(length, ServerLimits.MaxSentBytes));
        NoteUnsent(_ends);
        return sent;
    }

    /// <summary>Tells the client that no more comes.</summary>
    public void EndOutput() => _ends?.EndOutput();

    /// <summary>Gives all back but the socket.</summary>
    public void Dispose()
    {
        if (Handshake != null)
        {
            _tls.Abandon(this);
        }

        _ends?.Dispose();
        _ends = null;
        _unsentBytes = 0;
        _charge.Set(0);
    }

    private int ShakeHands(TlsConnection ends, byte* buffer, int bytes)
    {
        if (!_tls.TryBeginStep())
        {
            return 0; // The socket tells again of what was not received.
        }

        var received = ends.Receive(buffer, bytes);
        _tls.EndStep();
        if (ends.IsEstablished)
        {
            _tls.Establish(this);
        }
        else if (received < 0)
        {
            _tls.Fail(this);
        }

        return received;
    }

    private void NoteUnsent(TlsConnection ends)
    {
        _unsentBytes = ends.UnsentBytes;
        var own = Handshake == null ? ServerLimits.BytesPerTlsClient : ServerLimits.BytesPerHandshake;
        _charge.Set(own + _unsentBytes);
    }
}
