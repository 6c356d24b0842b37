using Strata.Bench.Reports;

namespace Strata.Bench.Cores;

/// <summary><c>strata-bench cores</c>: counts, and prints its table.</summary>
internal static class CoresCommand
{
    /// <exception cref="BenchException">The server or the load failed.</exception>
    public static int Run(CoresOptions options, BenchConsole console)
    {
        var run = new CoresRun(options);
        var report = console.WithProgress("cores", run.Execute);
        console.Results.Write(ComparisonTable.Of(report));
        if (options.Json is not null)
        {
            report.Save(options.Json);
        }

        return 0;
    }
}
