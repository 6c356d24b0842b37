using System.Runtime.InteropServices;

namespace Strata.Server.Network.Transport.Tls.Native;

/// <summary>strata_tls_state: what is looked at of a connection without a call.</summary>
[StructLayout(LayoutKind.Sequential)]
internal struct NativeTlsState
{
    /// <summary>Bytes encrypted, and not taken by the socket yet.</summary>
    public long UnsentBytes;

    /// <summary>Why it has ended, in OpenSSL's number.</summary>
    public long Error;

    /// <summary>Whether the handshake is over.</summary>
    public int IsEstablished;

    /// <summary>What was found of the client's certificate, in OpenSSL's number.</summary>
    public int VerifyResult;

    /// <summary>Whether OpenSSL has memory for a record of which the end has not come.</summary>
    public int HoldsRecord;
}
