using Spectre.Console;
using Strata.Bench.Reports;

namespace Strata.Bench.HitRatio;

/// <summary><c>strata-bench hitratio</c>: plays the traffics and prints one table.</summary>
internal static class HitRatioCommand
{
    /// <exception cref="BenchException">The traffic could not be played to its end.</exception>
    public static int Run(HitRatioOptions options, BenchConsole console)
    {
        var run = new HitRatioRun(options);
        var report = console.WithProgress("hit ratio", run.Execute);
        PrintTable(report, console.Results);
        if (options.Json is not null)
        {
            report.Save(options.Json);
        }

        return 0;
    }

    private static void PrintTable(BenchReport report, IAnsiConsole console)
    {
        console.WriteLine(string.Join(", ", report.Settings.Select(s => $"{s.Key} {s.Value}")));
        var table = new Table().AddColumns("traffic", "server", "hit ratio", "to the best baseline", "keys", "RSS");
        foreach (var column in table.Columns.Skip(2))
        {
            column.RightAligned();
        }

        foreach (var hit in report.Of(Metric.HitPercent))
        {
            table.AddRow(Markup.Escape(hit.Load), Markup.Escape(hit.Server), Metric.HitPercent.Write(hit.Value),
                report.Compared(hit, Metric.HitPercent), Written(hit, Metric.Items), Written(hit, Metric.RssMb));
        }

        console.Write(table);

        string Written(Measurement hit, Metric metric) =>
            report.Value(hit.Load, hit.Server, metric) is { } value ? metric.Write(value) : "";
    }
}
