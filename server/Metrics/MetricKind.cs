namespace Strata.Server.Metrics;

/// <summary>What a metric's figures mean.</summary>
public enum MetricKind
{
    /// <summary>They only grow, until the server is started again.</summary>
    Counter,

    /// <summary>They go up and down.</summary>
    Gauge,

    /// <summary>How many of what was measured was at most so large.</summary>
    Histogram,
}
