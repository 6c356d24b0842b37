namespace Strata.Server.Network.Transport.Tls.Native;

/// <summary>Statuses of libstrata_tls, as native/include/tls.h has them.</summary>
internal static class TlsStatus
{
    public const int Ok = 0;
    public const int EVersion = 1;
    public const int ELayout = 2;
    public const int EMemory = 3;
    public const int ESettings = 4;

    /// <summary>What receiving and sending answer when the connection has ended.</summary>
    public const int Ended = -1;
}
