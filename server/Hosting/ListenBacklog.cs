using System.Globalization;
using Strata.Server.Options;

namespace Strata.Server.Hosting;

/// <summary>The kernel's limit of connections that wait to be accepted.</summary>
internal static class ListenBacklog
{
    private const string LimitFile = "/proc/sys/net/core/somaxconn";

    /// <summary>
    /// The warning to give when the kernel cuts <c>tcp-backlog</c>, or null. A limit that cannot be read cuts nothing.
    /// </summary>
    public static string? Check(ServerOptions options) => File.Exists(LimitFile)
        ? Check(options.TcpBacklog, int.Parse(File.ReadAllText(LimitFile), CultureInfo.InvariantCulture))
        : null;

    internal static string? Check(int backlog, int limit) => limit >= backlog
        ? null
        : $"tcp-backlog {backlog} is cut to {limit} by the kernel: connections may be dropped when many come at once. "
            + $"Raise it with sysctl -w net.core.somaxconn={backlog}, or lower tcp-backlog.";
}
