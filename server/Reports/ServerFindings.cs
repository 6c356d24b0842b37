using Strata.Server.Diagnostics;
using Strata.Server.Metrics;

namespace Strata.Server.Reports;

/// <summary>What is wrong with a server, each a text with its remedy: what MEMORY DOCTOR and LATENCY DOCTOR find, and
/// whether the data reaches the disk.</summary>
internal static class ServerFindings
{
    /// <summary>All there is, the gravest first; nothing where all is well.</summary>
    public static IEnumerable<string> Of(MetricSource source)
    {
        var options = source.Server.Configuration.Current;
        var diagnostics = source.Services.Diagnostics;
        return Persistence(source)
            .Concat(MemoryReport.Findings(source.Memory, options.MaxMemoryPolicy))
            .Concat(LatencyReport.Findings(
                diagnostics.LatencyMonitor.All, options, diagnostics.Clock.GetUtcNow().ToUnixTimeSeconds()));
    }

    private static IEnumerable<string> Persistence(MetricSource source)
    {
        if (source.Services.Loading.IsLoading)
        {
            yield return "The data is being loaded: commands are answered with -LOADING until that is done.";
        }

        if (source.Services.Journal.Problem != null)
        {
            yield return "The journal cannot be written: commands that change something are refused with -MISCONF "
                + "until it can. Free some space in 'dir', or look into the disk's errors; the log has the reason.";
        }

        if (source.Services.Snapshots.History.HasFailed)
        {
            yield return "The last snapshot could not be saved. Free some space in 'dir', or look into the disk's "
                + "errors; the log has the reason. BGSAVE tries again.";
        }
    }
}
