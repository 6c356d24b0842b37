namespace Strata.Server.Options;

/// <summary>Who started the server and wants to be told how it is: <c>supervised</c>.</summary>
public enum SupervisionMode
{
    No,
    Systemd,

    /// <summary>By systemd if it gave the process a socket to tell it by.</summary>
    Auto,

    /// <summary>Known from Redis, and refused.</summary>
    Upstart,
}
