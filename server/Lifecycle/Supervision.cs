using Strata.Server.Options;

namespace Strata.Server.Lifecycle;

/// <summary>What <c>supervised</c> comes to in this process.</summary>
internal static class Supervision
{
    /// <summary>The variable in which systemd names the socket to tell it by.</summary>
    public const string SocketVariable = "NOTIFY_SOCKET";

    private static bool HasSocket => !string.IsNullOrEmpty(Environment.GetEnvironmentVariable(SocketVariable));

    /// <summary>Whether systemd is told.</summary>
    public static bool IsBySystemd(SupervisionMode mode)
        => mode is SupervisionMode.Systemd or SupervisionMode.Auto && HasSocket;

    /// <summary>Why the server cannot start so; or null.</summary>
    public static string? ErrorOf(SupervisionMode mode) => mode == SupervisionMode.Upstart
        ? "supervised upstart is not supported: the server does not stop itself (SIGSTOP) to say that it is ready. "
            + "Take 'expect stop' out of the job, and use supervised no; under systemd, supervised systemd"
        : null;

    /// <summary>What the log should warn of; or null.</summary>
    public static string? WarningOf(SupervisionMode mode) => mode == SupervisionMode.Systemd && !HasSocket
        ? $"supervised systemd, but {SocketVariable} is not set: nobody is told when the server is ready. Set "
            + "Type=notify in the unit, or use supervised auto or no."
        : null;

    /// <summary>What INFO says.</summary>
    public static string Name(SupervisionMode mode) => IsBySystemd(mode) ? "systemd" : "no";
}
