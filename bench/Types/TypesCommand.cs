using Spectre.Console;
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
        console.Results.Write(TableOf(report));
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

        foreach (var metric in Metric.Costs)
        {
            foreach (var load in report.Loads(metric))
            {
                var figures = report.Of(metric).Where(m => m.Load == load).ToDictionary(m => m.Server);
                string[] row =
                [
                    load, metric.Title, .. servers.Select(server => Of(server, m => metric.Write(m.Value))),
                    .. compared.Select(server => Of(server, m => report.Compared(m, metric))),
                ];
                table.AddRow(Array.ConvertAll(row, Markup.Escape));

                // Not every server takes part in a load with two workers.
                string Of(string server, Func<Measurement, string> write) =>
                    figures.TryGetValue(server, out var figure) ? write(figure) : "";
            }
        }

        return table;
    }
}
