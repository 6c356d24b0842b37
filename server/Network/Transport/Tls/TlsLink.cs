using Strata.Storage.Memory;

namespace Strata.Server.Network.Transport.Tls;

/// <summary>One client's bytes through TLS, when its handshake is over. Worker's thread.</summary>
/// <param name="engine">The worker's.</param>
/// <param name="ends">The connection, which another thread had.</param>
/// <param name="budget">What OpenSSL's memory is charged to.</param>
internal sealed unsafe class TlsLink(TlsEngine engine, TlsConnection ends, MemoryBudget budget) : IDisposable
{
    private MemoryCharge _charge = new(budget);
    private bool _isOpen;

    /// <summary>Bytes that were encrypted, and that the socket has not taken.</summary>
    public long UnsentBytes { get; private set; }

    /// <summary>Takes the connection over.</summary>
    /// <returns>False when the system gives no memory.</returns>
    public bool TryOpen()
    {
        _isOpen = engine.TryOpen();
        if (_isOpen)
        {
            ends.Move(engine);
            NoteHeld();
        }

        return _isOpen;
    }

    /// <summary>Receives what there is: while memory is short, of a record that has not come whole nothing.</summary>
    /// <inheritdoc cref="TlsConnection.Receive"/>
    public int Receive(byte* buffer, int bytes)
    {
        if (!_isOpen)
        {
            return -1;
        }

        var received = ends.Receive(buffer, bytes, onlyWhole: budget.IsFarOver);
        NoteHeld();
        return received;
    }

    /// <inheritdoc cref="TlsConnection.Send"/>
    public long Send(byte* bytes, long length)
    {
        if (!_isOpen)
        {
            return -1;
        }

        var sent = ends.Send(bytes, Math.Min(length, ServerLimits.MaxSentBytes));
        NoteHeld();
        return sent;
    }

    /// <summary>Tells the client that no more comes.</summary>
    public void EndOutput()
    {
        if (_isOpen)
        {
            ends.EndOutput();
        }
    }

    /// <summary>Gives all back but the socket.</summary>
    public void Dispose()
    {
        _isOpen = false;
        ends.Dispose();
        UnsentBytes = 0;
        _charge.Set(0);
    }

    private void NoteHeld()
    {
        UnsentBytes = ends.UnsentBytes;
        _charge.Set(
            ServerLimits.BytesPerTlsClient + UnsentBytes + (ends.HoldsRecord ? ServerLimits.BytesPerTlsRecord : 0));
    }
}
