using Strata.Bench.Load;

namespace Strata.Bench.Observability;

/// <summary>What a server has used and done up to one moment, by INFO: of the CPU it tells microseconds, where /proc
/// tells hundredths of a second.</summary>
/// <param name="CpuSeconds">User and system time of the process.</param>
/// <param name="Commands">Commands executed.</param>
internal readonly record struct ServerCost(double CpuSeconds, double Commands)
{
    /// <summary>Asks.</summary>
    /// <exception cref="BenchException">The server does not answer, or not as it must.</exception>
    public static ServerCost Of(RespClient client)
    {
        var info = ServerInfo.Ask(client, "cpu", "stats");
        return new(
            info.Number("used_cpu_user") + info.Number("used_cpu_sys"), info.Number("total_commands_processed"));
    }
}
