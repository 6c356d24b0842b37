using Strata.Server.Options.Syntax;

namespace Strata.Server.Options.Keys;

/// <summary>Keys about the process as a service of the machine.</summary>
public static class ProcessKeys
{
    public static readonly ConfigurationKey Supervised = new(
        "supervised",
        new EnumerationSyntax("upstart", "systemd", "auto", "no"),
        "no",
        "Who is told that the server is ready, alive and stopping: systemd, by the socket in NOTIFY_SOCKET; auto: by "
        + "that if there is one; no: nobody. upstart ends the start with an error.")
    {
        Change = ChangeRule.AtStart,
    };

    public static readonly ConfigurationKey PidFile = new(
        "pidfile",
        new TextSyntax("path"),
        "\"\"",
        "The file to write the number of the process to while the server accepts clients; empty writes none.")
    {
        Change = ChangeRule.AtStart,
    };

    /// <summary>The section of these keys.</summary>
    public static readonly ConfigurationSection Section = new("Service", [Supervised, PidFile]);
}
