namespace Strata.Server.Network.Transport.Tls;

/// <summary>Versions of TLS (STRATA_TLS_1_…).</summary>
[Flags]
internal enum TlsProtocols
{
    None = 0,
    Tls10 = 1,
    Tls11 = 2,
    Tls12 = 4,
    Tls13 = 8,
}
