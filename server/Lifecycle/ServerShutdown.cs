using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

namespace Strata.Server.Lifecycle;

/// <summary>
/// The way to end the server from inside: for SHUTDOWN, and for errors that it cannot go on after. May be called from
/// any thread and returns at once; the engine is stopped on the host's thread, in order.
/// </summary>
/// <param name="lifetime">The host's lifetime.</param>
/// <param name="logger">Takes the reason of a failure.</param>
public sealed class ServerShutdown(IHostApplicationLifetime lifetime, ILogger<ServerShutdown> logger)
{
    private int _exitCode = (int)ExitCode.Ok;
    private volatile bool _isAtOnce;

    /// <summary>The code to end the process with: the first failure's, or Ok.</summary>
    public ExitCode ExitCode => (ExitCode)Volatile.Read(ref _exitCode);

    /// <summary>Whether the end waits for no script that is at work.</summary>
    public bool IsAtOnce => _isAtOnce || ExitCode != ExitCode.Ok;

    /// <summary>Whether the server is to end, whoever has said so.</summary>
    public bool IsRequested => lifetime.ApplicationStopping.IsCancellationRequested;

    /// <summary>Ends the server as a signal would.</summary>
    public void Request() => lifetime.StopApplication();

    /// <summary>Ends the server without waiting for the scripts that are at work, also if it is ending and waits for
    /// them.</summary>
    public void RequestAtOnce()
    {
        _isAtOnce = true;
        lifetime.StopApplication();
    }

    /// <summary>Ends the server because of an error.</summary>
    /// <param name="exitCode">The code to end with, unless another failure came first.</param>
    /// <param name="message">What happened, in one line for the log.</param>
    public void Fail(ExitCode exitCode, string message)
    {
        HostingLog.Failed(logger, message);
        _ = Interlocked.CompareExchange(ref _exitCode, (int)exitCode, (int)ExitCode.Ok);
        lifetime.StopApplication();
    }
}
