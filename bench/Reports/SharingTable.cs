using Spectre.Console;

namespace Strata.Bench.Reports;

/// <summary>What sharing costs: the CPU of an operation with two workers against one worker's, of the same server.
/// </summary>
internal static class SharingTable
{
    /// <summary>A row for each server's load with two workers; no row where there is none.</summary>
    /// <param name="report">The figures of all loads.</param>
    /// <param name="withOneWorker">The name of the same load with one worker; null for one that is it.</param>
    public static Table Of(BenchReport report, Func<string, string?> withOneWorker)
    {
        var table = new Table().AddColumns("two workers against one", "server", "CPU per op", "with one", "ratio");
        foreach (var column in table.Columns.Skip(2))
        {
            column.RightAligned();
        }

        foreach (var cpu in report.Loads(Metric.CpuPerOp)
            .SelectMany(load => report.Of(Metric.CpuPerOp).Where(m => m.Load == load)))
        {
            if (withOneWorker(cpu.Load) is { } single
                && report.Value(single, cpu.Server, Metric.CpuPerOp) is { } one)
            {
                string[] row =
                [
                    cpu.Load, cpu.Server, Metric.CpuPerOp.Write(cpu.Value), Metric.CpuPerOp.Write(one),
                    Metric.CpuPerOp.Compare(cpu.Value, one),
                ];
                table.AddRow(Array.ConvertAll(row, Markup.Escape));
            }
        }

        return table;
    }
}
