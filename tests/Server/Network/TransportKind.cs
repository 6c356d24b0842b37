namespace Strata.Tests.Server.Network;

/// <summary>What may carry a client's bytes.</summary>
public enum TransportKind
{
    Tcp,
    Unix,
    Tls,
    InProcess,
}
