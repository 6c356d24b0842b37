namespace Strata.Server.Clients;

/// <summary>Whose client a connection is.</summary>
internal enum ClientOrigin
{
    /// <summary>Anybody's.</summary>
    Anybody,

    /// <summary>The server's own, which need not say who it is.</summary>
    Server,

    /// <summary>The journal's, which repeats what stands in it (<see cref="Session.IsLoader"/>).</summary>
    Journal,
}
