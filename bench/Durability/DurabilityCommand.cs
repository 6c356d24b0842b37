using Strata.Bench.Reports;

namespace Strata.Bench.Durability;

/// <summary><c>strata-bench durability</c>: runs the comparison and prints its table.</summary>
internal static class DurabilityCommand
{
    /// <exception cref="BenchException">A server or the load failed.</exception>
    public static int Run(DurabilityOptions options, BenchConsole console)
    {
        var run = new DurabilityRun(options);
        var report = console.WithProgress("durability", run.Execute);
        console.Results.Write(ComparisonTable.Of(report));
        if (options.Json is not null)
        {
            report.Save(options.Json);
        }

        return 0;
    }
}
