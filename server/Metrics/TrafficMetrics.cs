using System.Diagnostics;
using Strata.Server.Diagnostics;
using static Strata.Server.Metrics.Metric;

namespace Strata.Server.Metrics;

/// <summary>What clients and the server say to each other.</summary>
internal static class TrafficMetrics
{
    public static readonly Metric ConnectionsReceived = Counter(
        "connections_received", "Clients that were accepted.",
        source => source.Totals[ServerCounter.ConnectionsReceived],
        "total_connections_received");

    public static readonly Metric ConnectionsRejected = Counter(
        "rejected_connections", "Clients that were turned away.",
        source => source.Totals[ServerCounter.ConnectionsRejected],
        "rejected_connections");

    public static readonly Metric Commands = Counter(
        "commands_processed", "Commands that were executed.",
        source => source.Totals[ServerCounter.Commands],
        "total_commands_processed");

    public static readonly Metric ReceivedBytes = Counter(
        "net_input_bytes", "Bytes received from clients.",
        source => source.Totals[ServerCounter.ReceivedBytes],
        "total_net_input_bytes");

    public static readonly Metric SentBytes = Counter(
        "net_output_bytes", "Bytes sent to clients.",
        source => source.Totals[ServerCounter.SentBytes],
        "total_net_output_bytes");

    public static readonly Metric Reads = Counter(
        "net_reads", "Receptions from clients that gave something.",
        source => source.Totals[ServerCounter.Reads],
        "total_reads_processed");

    public static readonly Metric Writes = Counter(
        "net_writes", "Transmissions to clients that took something.",
        source => source.Totals[ServerCounter.Writes],
        "total_writes_processed");

    public static readonly Metric InputLimitsPassed = Counter(
        "query_buffer_limit_disconnections", "Clients closed because of client-query-buffer-limit.",
        source => source.Totals[ServerCounter.InputLimitsPassed],
        "client_query_buffer_limit_disconnections");

    public static readonly Metric OutputLimitsPassed = Counter(
        "output_buffer_limit_disconnections", "Clients closed because of client-output-buffer-limit.",
        source => source.Totals[ServerCounter.OutputLimitsPassed],
        "client_output_buffer_limit_disconnections");

    public static readonly Metric ErrorReplies = Counter(
        "error_replies", "Replies that were errors.",
        source => source.Totals.TotalErrors,
        "total_error_replies");

    public static readonly Metric Errors = Several(
        "errors", MetricKind.Counter, "Replies that were errors, by their code.",
        (source, series) =>
        {
            foreach (var (code, count) in source.Totals.Errors)
            {
                series.Add(count, "err", code);
            }
        });

    public static readonly Metric Denied = Several(
        "access_denied", MetricKind.Counter, "What users were refused: to be who they said, commands, keys, channels.",
        (source, series) =>
        {
            series.Add(source.Totals[ServerCounter.AuthenticationsDenied], "reason", "auth");
            series.Add(source.Totals[ServerCounter.CommandsDenied], "reason", "command");
            series.Add(source.Totals[ServerCounter.KeysDenied], "reason", "key");
            series.Add(source.Totals[ServerCounter.ChannelsDenied], "reason", "channel");
        });

    public static readonly Metric Turns = Counter(
        "eventloop_cycles", "Turns of the workers' loops.",
        source => source.Totals[ServerCounter.Turns],
        "eventloop_cycles");

    public static readonly Metric TurnSeconds = Counter(
        "eventloop_duration_seconds", "Time that the workers spent in them without waiting.",
        source => source.Totals[ServerCounter.TurnTicks] / (double)Stopwatch.Frequency);

    public static readonly Metric CronSeconds = Counter(
        "eventloop_duration_cron_seconds", "Time that they spent on what is done by the clock.",
        source => source.Totals[ServerCounter.CronTicks] / (double)Stopwatch.Frequency);

    public static readonly Metric LongestTurn = Gauge(
        "eventloop_longest_cycle_seconds", "The longest turn since the start, or CONFIG RESETSTAT.",
        source => source.Services.Diagnostics.LongestTurnTicks / (double)Stopwatch.Frequency);

    public static readonly Metric MostCommandsOfTurn = Gauge(
        "eventloop_most_commands_of_cycle", "The most commands of a turn since then.",
        source => source.Services.Diagnostics.MostCommandsOfTurn,
        "eventloop_cmd_per_cycle_max");

    /// <summary>All of them.</summary>
    public static readonly Metric[] All =
    [
        ConnectionsReceived, ConnectionsRejected, Commands, ReceivedBytes, SentBytes, Reads, Writes, InputLimitsPassed,
        OutputLimitsPassed, ErrorReplies, Errors, Denied, Turns, TurnSeconds, CronSeconds, LongestTurn,
        MostCommandsOfTurn,
    ];
}
