using CommandLine;

namespace Strata.Bench.Load;

/// <summary>Which server to talk to.</summary>
public abstract class TargetOptions
{
    [Option("host", Default = "127.0.0.1", HelpText = "Server's host name or address.")]
    public string Host { get; set; } = "127.0.0.1";

    [Option("port", Default = 6379, HelpText = "Server's port.")]
    public int Port { get; set; } = 6379;

    [Option("password", HelpText = "Password, when the server asks for one (requirepass).")]
    public string? Password { get; set; }
}
