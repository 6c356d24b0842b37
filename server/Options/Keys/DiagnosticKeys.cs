using Strata.Server.Options.Syntax;

namespace Strata.Server.Options.Keys;

/// <summary>Keys about the log and the measurements.</summary>
public static class DiagnosticKeys
{
    public static readonly ConfigurationKey LogLevel = new(
        "loglevel",
        new EnumerationSyntax("debug", "verbose", "notice", "warning", "nothing"),
        "notice",
        "How much is logged; each level includes the ones after it.");

    public static readonly ConfigurationKey LogFile = new(
        "logfile",
        new TextSyntax("path"),
        "\"\"",
        "The file to append the log to; empty logs to standard output.")
    {
        Change = ChangeRule.AtStart,
    };

    public static readonly ConfigurationKey LogFormat = new(
        "log-format",
        new EnumerationSyntax("plain", "json"),
        "plain",
        "One line of text for each event, or one JSON object a line.")
    {
        Change = ChangeRule.AtStart,
    };

    public static readonly ConfigurationKey SlowlogLogSlowerThan = new(
        "slowlog-log-slower-than",
        new IntegerSyntax(-1, long.MaxValue),
        "10000",
        "Microseconds from which on a command is kept in the slow log; 0 keeps every command, -1 none.");

    public static readonly ConfigurationKey SlowlogMaxLen = new(
        "slowlog-max-len",
        new IntegerSyntax(0, long.MaxValue),
        "128",
        "How many commands the slow log keeps, as far as they take no more than an eighth of maxmemory.");

    public static readonly ConfigurationKey LatencyTracking = new(
        "latency-tracking",
        new YesNoSyntax(),
        "yes",
        "Whether the time of each command is recorded, for INFO latencystats and LATENCY HISTOGRAM.");

    public static readonly ConfigurationKey LatencyTrackingInfoPercentiles = new(
        "latency-tracking-info-percentiles",
        new PercentilesSyntax(),
        "50 99 99.9",
        "The percentiles that INFO latencystats shows.");

    public static readonly ConfigurationKey LatencyMonitorThreshold = new(
        "latency-monitor-threshold",
        new IntegerSyntax(0, long.MaxValue),
        "0",
        "Milliseconds from which on an event is kept for LATENCY LATEST and HISTORY; 0 keeps none.");

    public static readonly ConfigurationKey BusyReplyThreshold = new(
        "busy-reply-threshold",
        new IntegerSyntax(0, long.MaxValue),
        "5000",
        "Milliseconds from which on a script counts as slow: other clients are answered -BUSY, and SCRIPT KILL or "
            + "SHUTDOWN NOSAVE may end it; 0 waits for scripts however long they run.")
    {
        Alias = "lua-time-limit",
    };

    /// <summary>The section of these keys.</summary>
    public static readonly ConfigurationSection Section = new(
        "Log and measurements",
        [
            LogLevel, LogFile, LogFormat, SlowlogLogSlowerThan, SlowlogMaxLen,
            LatencyTracking, LatencyTrackingInfoPercentiles, LatencyMonitorThreshold,
            BusyReplyThreshold,
        ]);
}
