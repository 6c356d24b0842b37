namespace Strata.Bench.Reports;

/// <summary>A kind of figure: its name in the JSON, its title, how it is written, and how two compare.</summary>
/// <param name="Id">Name in the JSON and in file names.</param>
/// <param name="Title">Heading of its chart and column.</param>
/// <param name="Format">Numeric format of a value, without the unit.</param>
/// <param name="Unit">Unit, as it is written behind a value.</param>
/// <param name="Comparison">Whether servers are compared by quotient or by difference.</param>
public sealed record Metric(string Id, string Title, string Format, string Unit, Comparison Comparison)
{
    public static readonly Metric OpsPerSecond = new("ops-per-second", "Throughput", "N0", "ops/s", Comparison.Ratio);

    public static readonly Metric P50Ms = new("p50-ms", "Latency, median", "F2", "ms", Comparison.Ratio);

    public static readonly Metric P99Ms = new("p99-ms", "Latency, 99th percentile", "F2", "ms", Comparison.Ratio);

    public static readonly Metric CpuPerOp =
        new("cpu-us-per-op", "CPU per operation (less is better)", "F2", "µs", Comparison.Ratio);

    public static readonly Metric BusyCores = new("busy-cores", "Cores kept busy", "F2", "", Comparison.Ratio);

    public static readonly Metric BytesPerItem =
        new("bytes-per-item", "Memory per item (less is better)", "F0", "B", Comparison.Ratio);

    public static readonly Metric FirstPongMs =
        new("first-pong-ms", "Start to first PONG (less is better)", "F0", "ms", Comparison.Ratio);

    public static readonly Metric IdleRssMb =
        new("idle-rss-mb", "Resident memory when idle (less is better)", "F1", "MB", Comparison.Ratio);

    public static readonly Metric HitPercent =
        new("hit-percent", "Hit ratio (more is better)", "F2", "%", Comparison.Points);

    public static readonly Metric Items = new("items", "Keys held after the traffic", "N0", "", Comparison.Ratio);

    public static readonly Metric RssMb =
        new("rss-mb", "Resident memory after the traffic", "F1", "MB", Comparison.Ratio);

    public static readonly Metric DataUsedMb =
        new("data-used-mb", "Memory the data uses, by INFO (less is better)", "F1", "MB", Comparison.Ratio);

    public static readonly Metric DataRssMb =
        new("data-rss-mb", "Resident memory of the data (less is better)", "F1", "MB", Comparison.Ratio);

    public static readonly Metric SetsPerSecond =
        new("sets-per-second", "SETs acknowledged (more is better)", "N0", "ops/s", Comparison.Ratio);

    public static readonly Metric GetsPerSecond =
        new("gets-per-second", "GETs beside them (more is better)", "N0", "ops/s", Comparison.Ratio);

    public static readonly Metric SaveSeconds =
        new("save-seconds", "SAVE (less is better)", "F2", "s", Comparison.Ratio);

    public static readonly Metric LoadSeconds =
        new("load-seconds", "Start with the file to the first PONG (less is better)", "F2", "s", Comparison.Ratio);

    public static readonly Metric SnapshotSeconds =
        new("snapshot-seconds", "BGSAVE (less is better)", "F2", "s", Comparison.Ratio);

    public static readonly Metric GrowthPercent =
        new("memory-growth-percent", "Memory that BGSAVE adds (less is better)", "F1", "%", Comparison.Ratio);

    public static readonly Metric QuietP999Ms =
        new("quiet-p99.9-ms", "GET, 99.9th percentile before BGSAVE (less is better)", "F2", "ms", Comparison.Ratio);

    public static readonly Metric SnapshotP999Ms =
        new("snapshot-p99.9-ms", "GET, 99.9th percentile during BGSAVE (less is better)", "F2", "ms", Comparison.Ratio);

    public static readonly Metric SlowerTimes =
        new("snapshot-p99.9-times", "That, to what it was before (less is better)", "F2", "×", Comparison.Ratio);

    public static readonly Metric WatchedTimes = new(
        "watched-times", "CPU per operation, watched to unwatched (less is better)", "F3", "×", Comparison.Ratio);

    public static readonly Metric SpreadPercent =
        new("spread-percent", "Width of the middle half of measurements", "F1", "%", Comparison.Ratio);

    public static readonly Metric CpuMsPerSecond =
        new("cpu-ms-per-second", "CPU in a second without load (less is better)", "F2", "ms", Comparison.Ratio);

    public static readonly Metric ScrapeCpuMs =
        new("scrape-cpu-ms", "CPU of a scrape (less is better)", "F2", "ms", Comparison.Ratio);

    public static readonly Metric ScrapeMs =
        new("scrape-ms", "Time of a scrape (less is better)", "F2", "ms", Comparison.Ratio);

    public static readonly Metric LongestWaitMs = new(
        "longest-wait-ms", "Longest GET while scraped, and in between (less is better)", "F2", "ms", Comparison.Ratio);

    public static readonly Metric LatePercent = new(
        "late-percent", "Scrapes, and times between, with a GET over 1 ms", "F1", "%", Comparison.Points);

    public static readonly Metric ObservationMb =
        new("observation-mb", "Memory of curve, hot keys and prefixes (less is better)", "F2", "MB", Comparison.Ratio);

    public static readonly Metric LeasesTaken =
        new("leases-taken", "Leases found taken, of 1,000 operations", "F3", "", Comparison.Ratio);

    public static readonly Metric InboxItems =
        new("inbox-items", "Work left for another worker, of 1,000 operations", "F3", "", Comparison.Ratio);

    public static readonly Metric WorkerTurns =
        new("worker-turns", "Turns of workers, for 1,000 operations", "F2", "", Comparison.Ratio);

    /// <summary>What an operation costs and what data does: less is better.</summary>
    public static readonly IReadOnlyList<Metric> Costs = [CpuPerOp, BytesPerItem, DataUsedMb, DataRssMb];

    /// <summary>What keeping the data costs.</summary>
    public static readonly IReadOnlyList<Metric> OfDurability =
    [
        SetsPerSecond, GetsPerSecond, SaveSeconds, LoadSeconds, SnapshotSeconds, GrowthPercent, QuietP999Ms,
        SnapshotP999Ms, SlowerTimes,
    ];

    /// <summary>What being watched costs.</summary>
    public static readonly IReadOnlyList<Metric> OfObservability =
    [
        WatchedTimes, SpreadPercent, CpuMsPerSecond, ScrapeCpuMs, ScrapeMs, LongestWaitMs, LatePercent, ObservationMb,
    ];

    /// <summary>What workers have of each other.</summary>
    public static readonly IReadOnlyList<Metric> OfCores = [LeasesTaken, InboxItems, WorkerTurns];

    /// <summary>All metrics, in the order in which they are shown.</summary>
    public static readonly IReadOnlyList<Metric> All =
    [
        CpuPerOp, OpsPerSecond, P50Ms, P99Ms, BusyCores, BytesPerItem, FirstPongMs, IdleRssMb, HitPercent, Items, RssMb,
        DataUsedMb, DataRssMb, .. OfDurability, .. OfObservability, .. OfCores,
    ];

    /// <summary>A value with its unit.</summary>
    public string Write(double value) =>
        (value.ToString(Format, System.Globalization.CultureInfo.InvariantCulture) + " " + Unit).TrimEnd();

    /// <summary>How a value stands to the baseline's: "0.53×", or "+2.1 points".</summary>
    public string Compare(double value, double baseline)
    {
        var culture = System.Globalization.CultureInfo.InvariantCulture;
        return Comparison == Comparison.Points
            ? (value - baseline).ToString("+0.00;-0.00;0.00", culture) + " points"
            : baseline == 0 ? "–" : (value / baseline).ToString("F2", culture) + "×";
    }
}
