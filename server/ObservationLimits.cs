namespace Strata.Server;

/// <summary>Every fixed bound on what those take who only look on, by HTTP.</summary>
public static class ObservationLimits
{
    /// <summary>Connections to metrics-port at a time; their buffers, which do not count in maxmemory, are some tens of
    /// kilobytes each.</summary>
    public const int MetricsConnections = 16;

    /// <summary>Bytes of a request there, and of its headers: a user's name and password fit.</summary>
    public const int MetricsRequestBytes = 48 << 10;

    /// <summary>How long a request may take to arrive.</summary>
    public static readonly TimeSpan MetricsRequestTimeout = TimeSpan.FromSeconds(5);

    /// <summary>For how long /metrics is written before it pauses: clients of the same core wait no longer.</summary>
    public static readonly TimeSpan MetricsTurn = TimeSpan.FromMicroseconds(50);

    /// <summary>For how long it pauses then.</summary>
    public static readonly TimeSpan MetricsPause = TimeSpan.FromMilliseconds(1);

    /// <summary>Live pages that are served at a time, of <see cref="MetricsConnections"/>: probes and Prometheus find
    /// room beside them.</summary>
    public const int LiveStreams = 8;

    /// <summary>How often they are told what is new.</summary>
    public static readonly TimeSpan LivePeriod = TimeSpan.FromSeconds(1);

    /// <summary>Looks at the server that wait for a live page to read them; one that has so many is closed. They are
    /// some kilobytes each, and the same for all pages.</summary>
    public const int LiveBacklog = 4;

    /// <summary>Commands that a live page lists: those that took most time.</summary>
    public const int LiveCommands = 12;

    /// <summary>Entries of the slow log that it lists.</summary>
    public const int LiveSlowCommands = 12;

    /// <summary>How long a report of keys by name may be held up, milliseconds, before another on its worker goes on in
    /// its place.</summary>
    public const int ReportTurnMs = 1000;
}
