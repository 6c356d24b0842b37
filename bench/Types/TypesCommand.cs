using Spectre.Console;
using Strata.Bench.Reports;

namespace Strata.Bench.Types;

/// <summary><c>strata-bench types</c>: runs the comparison and prints its tables.</summary>
internal static class TypesCommand
{
    /// <exception cref="BenchException">A server or the load failed.</exception>
    public static int Run(TypesOptions options, BenchConsole console)
    {
        var run = new TypesRun(options);
        var report = console.WithProgress("types", run.Execute);
        Print(report, console.Results, Metric.CpuPerOp, Metric.OpsPerSecond, Metric.P50Ms, Metric.P99Ms, Metric.BusyCores);
        Print(report, console.Results, Metric.DataMb);
        if (options.Json is not null)
        {
            report.Save(options.Json);
        }

        return 0;
    }

    /// <summary>A row for each load and server; the first of the metrics is compared.</summary>
    private static void Print(BenchReport report, IAnsiConsole console, params Metric[] metrics)
    {
        var table = new Table().AddColumns("load", "server");
        foreach (var metric in metrics)
        {
            table.AddColumn(new TableColumn(Markup.Escape(metric.Title)).RightAligned());
        }

        table.AddColumn(new TableColumn(Markup.Escape("to " + report.Baselines[0])).RightAligned());
        foreach (var load in report.Loads(metrics[0]))
        {
            foreach (var figure in report.Of(metrics[0]).Where(m => m.Load == load))
            {
                var cells = metrics.Select(m => report.Value(load, figure.Server, m) is { } v ? m.Write(v) : "");
                string[] row = [load, figure.Server, .. cells, report.Compared(figure, metrics[0])];
                table.AddRow(Array.ConvertAll(row, Markup.Escape));
            }
        }

        if (table.Rows.Count > 0)
        {
            console.Write(table);
        }
    }
}
