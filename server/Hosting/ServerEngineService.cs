using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

namespace Strata.Server.Hosting;

/// <summary>Ties the engine to the host: started with it, stopped with it.</summary>
/// <param name="engine">The engine.</param>
/// <param name="logger">Takes the steps.</param>
internal sealed class ServerEngineService(IServerEngine engine, ILogger<ServerEngineService> logger) : IHostedService
{
    /// <summary>How long a stop may take; Redis's shutdown-timeout.</summary>
    public static readonly TimeSpan StopTimeout = TimeSpan.FromSeconds(10);

    /// <inheritdoc/>
    public Task StartAsync(CancellationToken cancellationToken)
    {
        engine.Start();
        HostingLog.Ready(logger);
        return Task.CompletedTask;
    }

    /// <inheritdoc/>
    public Task StopAsync(CancellationToken cancellationToken)
    {
        HostingLog.Stopping(logger);
        engine.Stop(StopTimeout);
        HostingLog.Stopped(logger);
        return Task.CompletedTask;
    }
}
