using Spectre.Console;
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
        console.Results.Write(TableOf(report));
        if (options.Json is not null)
        {
            report.Save(options.Json);
        }

        return 0;
    }

    /// <summary>A row for each load and figure, a column for each server, and one for how it stands to the baseline.
    /// </summary>
    private static Table TableOf(BenchReport report)
    {
        var servers = report.Measurements.Select(m => m.Server).Distinct().ToList();
        var compared = servers.Except(report.Baselines).ToList();
        var table = new Table().AddColumns("load", "figure");
        foreach (var title in servers.Concat(compared.Select(server => $"{server} to {report.Baselines[0]}")))
        {
            table.AddColumn(new TableColumn(Markup.Escape(title)).RightAligned());
        }

        var rows = report.Measurements.Select(m => (m.Load, m.Metric)).Distinct()
            .Join(Metric.All, row => row.Metric, metric => metric.Id, (row, metric) => (row.Load, Metric: metric));
        foreach (var (load, metric) in rows)
        {
            var figures = report.Of(metric).Where(m => m.Load == load).ToDictionary(m => m.Server);
            string[] row =
            [
                load, metric.Title, .. servers.Select(server => metric.Write(figures[server].Value)),
                .. compared.Select(server => report.Compared(figures[server], metric)),
            ];
            table.AddRow(Array.ConvertAll(row, Markup.Escape));
        }

        return table;
    }
}
