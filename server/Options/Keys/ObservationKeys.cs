using Strata.Server.Options.Syntax;

namespace Strata.Server.Options.Keys;

/// <summary>Keys about what others see of the server by HTTP.</summary>
public static class ObservationKeys
{
    public static readonly ConfigurationKey MetricsPort = new(
        "metrics-port",
        new IntegerSyntax(0, 65535),
        "0",
        "The TCP port that answers HTTP: /metrics in the formats of Prometheus and OpenMetrics, /healthz and /readyz "
        + "for probes; 0 for none. Where users need a password, so does /metrics: that of a user who may execute INFO.")
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

    /// <summary>The section of these keys.</summary>
    public static readonly ConfigurationSection Section = new("Observation", [MetricsPort, MetricsBind]);
}
