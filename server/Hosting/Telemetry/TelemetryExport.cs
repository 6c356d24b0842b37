using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using OpenTelemetry.Exporter;
using OpenTelemetry.Logs;
using OpenTelemetry.Metrics;
using OpenTelemetry.Resources;
using OpenTelemetry.Trace;
using Strata.Server.Lifecycle;
using Strata.Server.Options;
using Strata.Server.Versions;

namespace Strata.Server.Hosting.Telemetry;

/// <summary>Sends metrics, log lines and slow commands to <c>otlp-endpoint</c> by OpenTelemetry's own library, whose
/// environment variables say all but the endpoint and the protocol.</summary>
/// <param name="endpoint">The endpoint.</param>
/// <param name="protocol">How it takes them.</param>
/// <param name="watch">Learns of what does not get there.</param>
internal sealed class TelemetryExport(Uri endpoint, OtlpProtocol protocol, ExportWatch watch)
{
    private const string ServiceName = "strata";

    /// <summary>Adds what sends them to a host.</summary>
    /// <param name="builder">The host's builder.</param>
    /// <param name="endpoint">Where to.</param>
    /// <param name="protocol">How.</param>
    public static void Configure(HostApplicationBuilder builder, Uri endpoint, OtlpProtocol protocol)
    {
        var watch = new ExportWatch(endpoint);
        var export = new TelemetryExport(endpoint, protocol, watch);
        builder.Configuration.AddEnvironmentVariables();
        builder.Services.AddOpenTelemetry()
            .ConfigureResource(resource => resource
                .Clear()
                .AddService(ServiceName, serviceVersion: ProductVersion.Text)
                .AddTelemetrySdk()
                .AddEnvironmentVariableDetector())
            .WithMetrics(metrics => metrics
                .AddMeter(IServerObserver.TelemetryName)
                .AddOtlpExporter(options => export.Set(options, "v1/metrics")))
            .WithTracing(traces => traces
                .AddSource(IServerObserver.TelemetryName)
                .AddOtlpExporter(options => export.Set(options, "v1/traces")))
            .WithLogging(logs => logs.AddOtlpExporter(options => export.Set(options, "v1/logs")));
        builder.Services.AddSingleton(watch);
        builder.Services.AddHostedService<TelemetryService>();
    }

    private void Set(OtlpExporterOptions options, string path)
    {
        options.Protocol = protocol == OtlpProtocol.Grpc ? OtlpExportProtocol.Grpc : OtlpExportProtocol.HttpProtobuf;
        options.Endpoint = protocol == OtlpProtocol.Grpc
            ? endpoint
            : new Uri(endpoint.AbsoluteUri.TrimEnd('/') + "/" + path);
        options.HttpClientFactory = () => new HttpClient(watch.NewHandler(), disposeHandler: true)
        {
            Timeout = TimeSpan.FromMilliseconds(options.TimeoutMilliseconds),
        };
    }
}
