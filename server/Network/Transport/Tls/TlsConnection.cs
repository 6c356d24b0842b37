using System.Runtime.InteropServices;
using Strata.Server.Network.Transport.Tls.Native;

namespace Strata.Server.Network.Transport.Tls;

/// <summary>The server's end of one connection, over its socket. On the thread of its engine.</summary>
internal sealed unsafe class TlsConnection : IDisposable
{
    private const int MaxTextBytes = 256;

    private nint _connection;
    private NativeTlsState* _state;

    public TlsConnection(nint connection, NativeTlsState* state)
    {
        _connection = connection;
        _state = state;
    }

    /// <summary>Whether the handshake is over.</summary>
    public bool IsEstablished => _state->IsEstablished != 0;

    /// <summary>Bytes encrypted, and not taken by the socket yet: they go first with the next send.</summary>
    public long UnsentBytes => _state->UnsentBytes;

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

    /// <summary>Receives what there is, and goes on with the handshake.</summary>
    /// <param name="buffer">Where it goes.</param>
    /// <param name="bytes">The room there, <see cref="TlsLibrary.LeastRoom"/> at least.</param>
    /// <returns>Bytes; 0 when there are none now; -1 when the connection has ended.</returns>
    public int Receive(byte* buffer, int bytes) => (int)TlsLibrary.Receive(_connection, buffer, bytes);

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
