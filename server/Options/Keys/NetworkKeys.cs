using Strata.Server.Options.Syntax;

namespace Strata.Server.Options.Keys;

/// <summary>Keys about where the server listens and what it asks of its sockets.</summary>
public static class NetworkKeys
{
    public static readonly ConfigurationKey Bind = new(
        "bind",
        new BindSyntax(),
        "* -::*",
        "The addresses to listen on, separated by blanks. * is every IPv4 address, ::* every IPv6 address; one with a "
        + "dash before it may be missing on this machine. \"\" listens on none, for a server with a Unix socket only.")
    {
        IsListening = true,
    };

    public static readonly ConfigurationKey Port = new(
        "port",
        new IntegerSyntax(0, 65535),
        "6379",
        "The TCP port to listen on; 0 listens on no TCP port.")
    {
        IsListening = true,
    };

    public static readonly ConfigurationKey UnixSocket = new(
        "unixsocket",
        new TextSyntax("path"),
        "\"\"",
        "The path of a Unix socket to listen on as well; empty for none.")
    {
        Change = ChangeRule.AtStart,
    };

    public static readonly ConfigurationKey UnixSocketPerm = new(
        "unixsocketperm",
        new OctalSyntax(),
        "0",
        "The Unix socket's file mode in octal, such as 700; 0 leaves it to the umask.")
    {
        Change = ChangeRule.AtStart,
    };

    public static readonly ConfigurationKey TcpBacklog = new(
        "tcp-backlog",
        new IntegerSyntax(0, int.MaxValue),
        "511",
        "How many connections may wait to be accepted. The kernel cuts it to /proc/sys/net/core/somaxconn.")
    {
        Change = ChangeRule.AtStart,
    };

    public static readonly ConfigurationKey TcpKeepalive = new(
        "tcp-keepalive",
        new IntegerSyntax(0, int.MaxValue),
        "300",
        "Seconds after which a silent connection is probed, to notice peers that are gone; 0 never probes. "
        + "Holds for connections accepted from then on.");

    public static readonly ConfigurationKey Timeout = new(
        "timeout",
        new IntegerSyntax(0, int.MaxValue),
        "0",
        "Seconds after which a client that sends nothing is closed; 0 keeps it.");

    public static readonly ConfigurationKey ProtectedMode = new(
        "protected-mode",
        new YesNoSyntax(),
        "yes",
        "Whether a server without a password refuses commands that come from other machines.");

    public static readonly ConfigurationKey AllowUnsupported = new(
        "allow-unsupported",
        new UnsupportedNamesSyntax(),
        "\"\"",
        "Directives of redis.conf that restrict access, are not supported yet, and may stand in the configuration all "
        + "the same, separated by blanks: tls-cluster and tls-replication keep the server from starting, since "
        + "without them it is more open than its owner thinks.")
    {
        Change = ChangeRule.AtStart,
    };

    /// <summary>The section of these keys.</summary>
    public static readonly ConfigurationSection Section = new(
        "Network",
        [Bind, Port, UnixSocket, UnixSocketPerm, TcpBacklog, TcpKeepalive, Timeout, ProtectedMode, AllowUnsupported]);
}
