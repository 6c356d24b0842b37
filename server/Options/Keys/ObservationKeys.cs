using Strata.Server.Options.Syntax;

namespace Strata.Server.Options.Keys;

/// <summary>Keys about what is shown of the server to those who watch it.</summary>
public static class ObservationKeys
{
    public static readonly ConfigurationKey MetricsPort = new(
        "metrics-port",
        new IntegerSyntax(0, 65535),
        "0",
        "The TCP port that answers HTTP: / with a live page for browsers, /metrics in the formats of Prometheus and "
        + "OpenMetrics, /healthz and /readyz for probes; 0 for none. Where users need a password, so do the page and "
        + "/metrics: that of a user who may execute INFO.")
    {
        Change = ChangeRule.AtStart,
    };

    public static readonly ConfigurationKey MetricsBind = new(
        "metrics-bind",
        new AddressSyntax(),
        "127.0.0.1",
        "The IP address that metrics-port is listened to on; 0.0.0.0 is every IPv4 address, :: every one.")
    {
        Change = ChangeRule.AtStart,
    };

    public static readonly ConfigurationKey OtlpEndpoint = new(
        "otlp-endpoint",
        new EndpointSyntax(),
        "\"\"",
        "Where metrics, log lines and slow commands are sent to by OpenTelemetry's protocol, as http://collector:4317; "
        + "nothing for nowhere. OpenTelemetry's environment variables say the rest: OTEL_EXPORTER_OTLP_HEADERS, "
        + "OTEL_METRIC_EXPORT_INTERVAL, OTEL_SERVICE_NAME and their like.")
    {
        Change = ChangeRule.AtStart,
    };

    public static readonly ConfigurationKey OtlpProtocol = new(
        "otlp-protocol",
        new EnumerationSyntax("grpc", "http/protobuf"),
        "grpc",
        "How it is sent there: grpc, which collectors take on port 4317, or http/protobuf, on port 4318.")
    {
        Change = ChangeRule.AtStart,
    };

    /// <summary>The section of these keys.</summary>
    public static readonly ConfigurationSection Section =
        new("Observation", [MetricsPort, MetricsBind, OtlpEndpoint, OtlpProtocol]);
}
