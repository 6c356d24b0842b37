using Strata.Bench.Charts;
using Strata.Bench.Reports;

namespace Strata.Bench.Types;

/// <summary><c>strata-bench types</c>: runs the comparison and prints its table.</summary>
internal static class TypesCommand
{
    /// <exception cref="BenchException">A server or the load failed.</exception>
    public static int Run(TypesOptions options, BenchConsole console)
    {
        var run = new TypesRun(options);
        var report = console.WithProgress("types", run.Execute);
        console.Results.Write(ComparisonTable.Of(
            report, Metric.Costs.SelectMany(metric => report.Loads(metric).Select(load => (load, metric)))));
        var sharing = SharingTable.Of(report, run.WithOneWorker);
        if (sharing.Rows.Count > 0)
        {
            console.Results.Write(sharing);
        }

        if (options.Json is not null)
        {
            report.Save(options.Json);
        }

        if (options.Chart is not null)
        {
            ChartFile.Write(options.Chart, RatioChart.Draw(report)
                ?? throw new BenchException($"{report.Baselines[0]} cost nothing that could be compared with."));
        }

        return 0;
    }
}
