using Spectre.Console;

namespace Strata.Bench.Reports;

/// <summary>A report as a table: a row for each load and figure, a column for each server, and one for how it stands to
/// the baseline.</summary>
internal static class ComparisonTable
{
    /// <summary>Makes it of all that was measured, load by load as they were run.</summary>
    public static Table Of(BenchReport report)
        => Of(report, report.Measurements.Select(m => (m.Load, m.Metric)).Distinct()
            .Join(Metric.All, row => row.Metric, metric => metric.Id, (row, metric) => (row.Load, metric)));

    /// <summary>Makes it.</summary>
    /// <param name="report">The report.</param>
    /// <param name="rows">The loads and figures, in their order.</param>
    public static Table Of(BenchReport report, IEnumerable<(string Load, Metric Metric)> rows)
    {
        var servers = report.Measurements.Select(m => m.Server).Distinct().ToList();
        var compared = servers.Except(report.Baselines).ToList();
        var table = new Table().AddColumns("load", "figure");
        foreach (var title in servers.Concat(compared.Select(server => $"{server} to {report.Baselines[0]}")))
        {
            table.AddColumn(new TableColumn(Markup.Escape(title)).RightAligned());
        }

        foreach (var (load, metric) in rows)
        {
            var figures = report.Of(metric).Where(m => m.Load == load).ToDictionary(m => m.Server);
            string[] row =
            [
                load, metric.Title, .. servers.Select(server => Of(server, m => metric.Write(m.Value))),
                .. compared.Select(server => Of(server, m => report.Compared(m, metric))),
            ];
            table.AddRow(Array.ConvertAll(row, Markup.Escape));

            // Not every server takes part in every load.
            string Of(string server, Func<Measurement, string> write) =>
                figures.TryGetValue(server, out var figure) ? write(figure) : "";
        }

        return table;
    }
}
