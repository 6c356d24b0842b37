using Strata.Bench.Load;

namespace Strata.Bench.Cores;

/// <summary>What a server has done up to one moment, and how often its workers had to do with each other, by INFO.
/// </summary>
/// <param name="Commands">Commands executed.</param>
/// <param name="CpuSeconds">User and system time of the process.</param>
/// <param name="LeasesFoundTaken">How often a worker found a shard's lease taken, trying for a microsecond.</param>
/// <param name="InboxItems">What other threads have left for workers to do.</param>
/// <param name="Turns">Turns of the workers' loops.</param>
internal readonly record struct SharedWork(
    double Commands, double CpuSeconds, double LeasesFoundTaken, double InboxItems, double Turns)
{
    /// <summary>Asks.</summary>
    /// <exception cref="BenchException">The server does not answer, or not as it must.</exception>
    public static SharedWork Of(RespClient client)
    {
        var info = ServerInfo.Ask(client, "cpu", "stats", "shards", "workers");
        return new(
            info.Number("total_commands_processed"),
            info.Number("used_cpu_user") + info.Number("used_cpu_sys"),
            info.Sum("shard", "lease_contentions"),
            info.Sum("worker", "inbox_items"),
            info.Sum("worker", "turns"));
    }

    /// <summary>What came since.</summary>
    public SharedWork Since(in SharedWork before) => new(
        Commands - before.Commands,
        CpuSeconds - before.CpuSeconds,
        LeasesFoundTaken - before.LeasesFoundTaken,
        InboxItems - before.InboxItems,
        Turns - before.Turns);
}
