namespace Strata.Server.Network.Transport.Tls;

/// <summary>One that is not over.</summary>
/// <param name="Link">Whose.</param>
/// <param name="Connection">The connection that is closed when it takes too long.</param>
/// <param name="SinceMs">When it began.</param>
internal sealed record Handshake(TlsLink Link, Connection Connection, long SinceMs);
