namespace Strata.Server.Clients.Tracking;

/// <summary>What CLIENT TRACKING was told.</summary>
[Flags]
internal enum TrackingFlags
{
    None = 0,

    /// <summary>OPTIN: only what the command behind CLIENT CACHING YES reads is remembered.</summary>
    OptIn = 1 << 0,

    /// <summary>OPTOUT: all is remembered but what the command behind CLIENT CACHING NO reads.</summary>
    OptOut = 1 << 1,

    /// <summary>NOLOOP: the client is not told of keys that it changes itself.</summary>
    NoLoop = 1 << 2,

    /// <summary>BCAST: the client is told of all keys that begin in certain ways, whether it has read them or not.
    /// </summary>
    Broadcast = 1 << 3,
}
