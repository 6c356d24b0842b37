namespace Strata.Bench.Reports;

/// <summary>The verbs that show all they measure as one table.</summary>
internal static class ComparisonCommand
{
    /// <summary>Runs the benchmark, prints its table, and writes its report where one is wanted.</summary>
    /// <param name="title">The verb, for the progress bar.</param>
    /// <param name="execute">The benchmark, which tells its progress.</param>
    /// <param name="json">The report's file.</param>
    /// <param name="console">Where all is shown.</param>
    /// <exception cref="BenchException">A server or the load failed.</exception>
    public static int Run(
        string title, Func<Action<double, string>, BenchReport> execute, string? json, BenchConsole console)
    {
        var report = console.WithProgress(title, execute);
        console.Results.Write(ComparisonTable.Of(report));
        if (json is not null)
        {
            report.Save(json);
        }

        return 0;
    }
}
