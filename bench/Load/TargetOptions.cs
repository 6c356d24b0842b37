using CommandLine;

namespace Strata.Bench.Load;

/// <summary>Which server to talk to.</summary>
public abstract class TargetOptions
{
    [Option("host", Default = "127.0.0.1", HelpText = "Server's host name or address.")]
    public string Host { get; set; } = "127.0.0.1";

    [Option("port", Default = 6379, HelpText = "Server's port.")]
    public int Port { get; set; } = 6379;

    [Option("user", HelpText = "ACL user; the default one, if not said.")]
    public string? User { get; set; }

    [Option("password", HelpText = "Password, when the server asks for one (requirepass, or the user's).")]
    public string? Password { get; set; }
}
