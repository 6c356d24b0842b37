namespace Strata.Server.Lifecycle;

/// <summary>The server cannot start. Ends the process with a code of its own and one line that says why.</summary>
/// <param name="exitCode">The exit code.</param>
/// <param name="message">What happened, to what, and what to do about it, in one line.</param>
public sealed class StartupException(ExitCode exitCode, string message) : Exception(message)
{
    /// <summary>The exit code.</summary>
    public ExitCode ExitCode { get; } = exitCode;
}
