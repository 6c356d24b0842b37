using System.Globalization;
using Strata.Server.Metrics;

namespace Strata.Server.Reports;

/// <summary>INFO workers: a line for every worker; counters since the start.</summary>
internal static class WorkersSection
{
    public static void Write(InfoText text, MetricSource source)
    {
        text.Section("Workers");
        var cpuSeconds = ThreadCpu.SecondsByThreadName();
        foreach (var worker in source.Services.Workers)
        {
            var statistics = worker.Statistics;
            var cpu = cpuSeconds.GetValueOrDefault($"worker-{worker.Number}");
            text.Field($"worker{worker.Number}", string.Create(CultureInfo.InvariantCulture,
                $"clients={worker.ConnectionCount},commands={statistics.Commands},hits={statistics.Hits},"
                + $"misses={statistics.Misses},turns={worker.Worker.Turns},events={worker.Worker.Events},"
                + $"inbox_items={worker.Worker.InboxItems},received_bytes={worker.ReceivedBytes},"
                + $"sent_bytes={worker.SentBytes},cpu_seconds={cpu:F2}"));
        }
    }
}
