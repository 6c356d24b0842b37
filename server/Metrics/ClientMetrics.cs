using static Strata.Server.Metrics.Metric;

namespace Strata.Server.Metrics;

/// <summary>Who is connected, and what for.</summary>
internal static class ClientMetrics
{
    public static readonly Metric Connected = Gauge(
        "connected_clients", "Clients that are connected.",
        source => source.Services.Diagnostics.Clients.Connected,
        "connected_clients");

    public static readonly Metric Most = Gauge(
        "max_clients", "Clients that may be connected.",
        source => source.Server.Configuration.Current.MaxClients,
        "maxclients");

    public static readonly Metric Blocked = Gauge(
        "blocked_clients", "Clients that wait in a command, or for the end of CLIENT PAUSE.",
        source => source.Services.Workers.Sum(worker => worker.BlockedClients),
        "blocked_clients");

    public static readonly Metric Tracking = Gauge(
        "tracking_clients", "Clients with CLIENT TRACKING.",
        source => source.Services.Workers.Sum(worker => worker.Tracking.Clients),
        "tracking_clients");

    public static readonly Metric Subscribers = Gauge(
        "pubsub_clients", "Clients that have subscribed to something.",
        source => source.Services.Messages.Subscribers,
        "pubsub_clients");

    public static readonly Metric Watchers = Gauge(
        "watching_clients", "Clients that watch keys.",
        source => source.Services.Workers.Sum(worker => worker.Watchers),
        "watching_clients");

    public static readonly Metric Channels = Gauge(
        "pubsub_channels", "Channels with subscribers.",
        source => source.Services.Messages.Channels.Count,
        "pubsub_channels");

    public static readonly Metric Patterns = Gauge(
        "pubsub_patterns", "Patterns with subscribers.",
        source => source.Services.Messages.Patterns.Count,
        "pubsub_patterns");

    /// <summary>All of them.</summary>
    public static readonly Metric[] All =
    [
        Connected, Most, Blocked, Tracking, Subscribers, Watchers, Channels, Patterns,
    ];
}
