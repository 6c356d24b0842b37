using Strata.Bench.Reports;

namespace Strata.Bench.Observability;

/// <summary><c>strata-bench observability</c>: measures what watching costs, and prints its table.</summary>
internal static class ObservabilityCommand
{
    /// <exception cref="BenchException">The server or the load failed.</exception>
    public static int Run(ObservabilityOptions options, BenchConsole console)
    {
        var run = new ObservabilityRun(options);
        var report = console.WithProgress("observability", run.Execute);
        console.Results.Write(ComparisonTable.Of(report));
        if (options.Json is not null)
        {
            report.Save(options.Json);
        }

        return 0;
    }
}
