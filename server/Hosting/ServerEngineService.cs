using Microsoft.Extensions.Hosting;
using Strata.Server.Lifecycle;

namespace Strata.Server.Hosting;

/// <summary>Ties the engine to the host: started with it, stopped with it.</summary>
/// <param name="engine">The engine.</param>
internal sealed class ServerEngineService(IServerEngine engine) : IHostedService
{
    /// <summary>How long a stop may take; Redis's shutdown-timeout.</summary>
    public static readonly TimeSpan StopTimeout = TimeSpan.FromSeconds(10);

    /// <inheritdoc/>
    public Task StartAsync(CancellationToken cancellationToken)
    {
        engine.Start();
        return Task.CompletedTask;
    }

    /// <inheritdoc/>
    public Task StopAsync(CancellationToken cancellationToken)
    {
        engine.Stop(StopTimeout);
        return Task.CompletedTask;
    }
}
