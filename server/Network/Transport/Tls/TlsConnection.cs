using System.Runtime.InteropServices;
using Strata.Server.Network.Transport.Tls.Native;

namespace Strata.Server.Network.Transport.Tls;

/// <summary>The server's end of one connection, over its socket, which stays the owner's. On the thread of its engine.
/// </summary>
internal sealed unsafe class TlsConnection : IDisposable
{
    private const int MaxTextBytes = 256;

    private nint _connection;
    private NativeTlsState* _state;

    /// <summary>A connection whose handshake follows.</summary>
    /// <param name="connection">OpenSSL's part of it.</param>
    /// <param name="state">What is looked at of it.</param>
    /// <param name="socket">The socket.</param>
    public TlsConnection(nint connection, NativeTlsState* state, int socket)
    {
        _connection = connection;
        _state = state;
        Socket = socket;
    }

    /// <summary>The socket.</summary>
    public int Socket { get; }

    /// <summary>Whether the handshake is over.</summary>
    public bool IsEstablished => _state->IsEstablished != 0;

    /// <summary>Bytes encrypted, and not taken by the socket yet: they go first with the next send.</summary>
    public long UnsentBytes => _state->UnsentBytes;

    /// <summary>Whether OpenSSL has memory for a record of which the end has not come.</summary>
    public bool HoldsRecord => _state->HoldsRecord != 0;

    /// <summary>Why it has ended.</summary>
    public string Problem
    {
        get
        {
            var text = stackalloc byte[MaxTextBytes];
            if (_state->VerifyResult != 0)
            {
                TlsLibrary.VerifyText(_state->VerifyResult, text, MaxTextBytes);
                return $"the client's certificate: {Marshal.PtrToStringUTF8((nint)text)}";
            }

            if (_state->Error != 0)
            {
                TlsLibrary.ErrorText(_state->Error, text, MaxTextBytes);
                return Marshal.PtrToStringUTF8((nint)text)!;
            }

            return "the client has ended it";
        }
    }

    /// <summary>Goes on with the handshake, by what the client has sent.</summary>
    /// <returns>False when the connection has ended.</returns>
    public bool TryShakeHands() => TlsLibrary.ShakeHands(_connection) == TlsStatus.Ok;

    /// <summary>Gives the connection to the thread of another engine.</summary>
    public void Move(TlsEngine engine) => TlsLibrary.Move(_connection, engine.Handle);

    /// <summary>Receives what there is, after the handshake.</summary>
    /// <param name="buffer">Where it goes.</param>
    /// <param name="bytes">The room there, <see cref="TlsLibrary.LeastRoom"/> at least.</param>
    /// <param name="onlyWhole">Whether the start of a record, which would take memory, stays with the socket.</param>
    /// <returns>Bytes; 0 when there are none now; -1 when the connection has ended.</returns>
    public int Receive(byte* buffer, int bytes, bool onlyWhole)
        => (int)TlsLibrary.Receive(_connection, buffer, bytes, onlyWhole ? 1 : 0);

    /// <summary>Sends what was encrypted.</summary>
    /// <returns>False when the connection has ended.</returns>
    public bool TryFlush() => TlsLibrary.Send(_connection, null, 0) == 0;

    /// <summary>Encrypts and sends until the socket takes no more.</summary>
    /// <returns>Bytes that were encrypted; -1 when the connection has ended.</returns>
    public long Send(byte* bytes, long length) => TlsLibrary.Send(_connection, bytes, length);

    /// <summary>Tells the client that no more comes.</summary>
    public void EndOutput() => TlsLibrary.EndOutput(_connection);

    /// <summary>Gives all back but the socket.</summary>
    public void Dispose()
    {
        if (_connection != 0)
        {
            TlsLibrary.Close(_connection);
            _connection = 0;
            _state = null;
        }
    }
}
