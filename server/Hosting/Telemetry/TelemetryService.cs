using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Strata.Server.Lifecycle;
using Strata.Server.Options;

namespace Strata.Server.Hosting.Telemetry;

/// <summary>Has the engine tell of itself from its start to its end.</summary>
/// <param name="engine">The engine; has started.</param>
/// <param name="store">The configuration.</param>
/// <param name="watch">Is given the log.</param>
/// <param name="logger">The log.</param>
internal sealed class TelemetryService(
    IServerEngine engine, ConfigurationStore store, ExportWatch watch, ILogger<TelemetryService> logger)
    : IHostedService, IDisposable
{
    private IDisposable? _telemetry;

    /// <inheritdoc/>
    public Task StartAsync(CancellationToken cancellationToken)
    {
        watch.Begin(logger);
        _telemetry = engine.Observer.StartTelemetry();
        HostingLog.SendsTelemetry(logger, store.Current.OtlpEndpoint!);
        return Task.CompletedTask;
    }

    /// <inheritdoc/>
    public Task StopAsync(CancellationToken cancellationToken)
    {
        Dispose();
        return Task.CompletedTask;
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _telemetry?.Dispose();
        _telemetry = null;
    }
}
