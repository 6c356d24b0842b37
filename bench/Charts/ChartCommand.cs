using Strata.Bench.Reports;

namespace Strata.Bench.Charts;

/// <summary><c>strata-bench chart</c>: writes BENCHMARK-METRIC.svg for every kind of figure in a report, or
/// BENCHMARK-ratios.svg.</summary>
internal static class ChartCommand
{
    /// <exception cref="BenchException">The report cannot be read, is empty, or a chart cannot be written.</exception>
    public static int Run(ChartOptions options, BenchConsole console)
    {
        var report = BenchReport.Load(options.Input);
        if (options.Ratios)
        {
            Write("ratios", RatioChart.Draw(report)
                ?? throw new BenchException($"{options.Input} holds no costs of two servers to compare."));
            return 0;
        }

        var metrics = Metric.All.Where(metric => report.Of(metric).Any()).ToList();
        if (metrics.Count == 0)
        {
            throw new BenchException($"{options.Input} holds no figures: run the benchmark again.");
        }

        metrics.ForEach(metric => Write(metric.Id, BarChart.Draw(report, metric)));
        return 0;

        void Write(string what, string chart)
        {
            var path = Path.Combine(options.Output, $"{report.Benchmark}-{what}.svg");
            ChartFile.Write(path, chart);
            console.Output.WriteLine(path);
        }
    }
}
