using Strata.Bench.Reports;

namespace Strata.Bench.Charts;

/// <summary><c>strata-bench chart</c>: writes BENCHMARK-METRIC.svg for every kind of figure in a report.</summary>
internal static class ChartCommand
{
    /// <exception cref="BenchException">The report cannot be read, is empty, or a chart cannot be written.</exception>
    public static int Run(ChartOptions options, BenchConsole console)
    {
        var report = BenchReport.Load(options.Input);
        var metrics = Metric.All.Where(metric => report.Of(metric).Any()).ToList();
        if (metrics.Count == 0)
        {
            throw new BenchException($"{options.Input} holds no figures: run the benchmark again.");
        }

        foreach (var metric in metrics)
        {
            var path = Path.Combine(options.Output, $"{report.Benchmark}-{metric.Id}.svg");
            try
            {
                Directory.CreateDirectory(options.Output);
                File.WriteAllText(path, BarChart.Draw(report, metric) + "\n");
            }
            catch (Exception e) when (e is IOException or UnauthorizedAccessException)
            {
                throw new BenchException($"Cannot write {path}: {e.Message}", e);
            }

            console.Output.WriteLine(path);
        }

        return 0;
    }
}
