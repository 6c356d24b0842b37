using Spectre.Console;
using Strata.Bench.Reports;

namespace Strata.Bench.Versus;

/// <summary><c>strata-bench versus</c>: runs the comparison and prints its tables.</summary>
internal static class VersusCommand
{
    private const string DefaultMemtier = "memtier_benchmark";

    /// <exception cref="BenchException">A server or the load tool failed.</exception>
    public static int Run(VersusOptions options, BenchConsole console)
    {
        var run = new VersusRun(options, ChooseTool(options, console));
        foreach (var load in run.LeftOut)
        {
            console.Error.WriteLine($"Left out: {load}, which redis-benchmark cannot run.");
        }

        var report = console.WithProgress("versus", run.Execute);
        PrintLoads(report, console.Results);
        Print(SharingTable.Of(report, load => VersusLoad.All.First(l => l.Name == load).WithOneWorker?.Name),
            console.Results);
        PrintFootprint(report, console.Results);
        if (options.Json is not null)
        {
            report.Save(options.Json);
        }

        return 0;
    }

    private static ILoadTool ChooseTool(VersusOptions options, BenchConsole console)
    {
        var wanted = options.Memtier ?? Environment.GetEnvironmentVariable("MEMTIER");
        if (ToolProcess.Find(wanted is null or "" ? DefaultMemtier : wanted) is { } memtier)
        {
            return new MemtierTool(memtier, options);
        }

        if (wanted is not (null or ""))
        {
            throw new BenchException($"There is no program {wanted}: correct --memtier or MEMTIER.");
        }

        if (ToolProcess.Find("redis-benchmark") is null)
        {
            throw new BenchException(
                "Neither memtier_benchmark nor redis-benchmark is on the PATH: install the package redis-tools.");
        }

        console.Error.WriteLine("memtier_benchmark is not on the PATH: redis-benchmark stands in for it.");
        return new RedisBenchmarkTool(options);
    }

    private static void PrintLoads(BenchReport report, IAnsiConsole console)
    {
        var metrics = new[] { Metric.OpsPerSecond, Metric.P50Ms, Metric.P99Ms, Metric.BusyCores, Metric.CpuPerOp };
        var table = TableOf("load", "server", "throughput", "p50", "p99", "busy cores", "CPU per op",
            "to " + report.Baselines[0]);
        foreach (var cpu in InOrder(report, Metric.CpuPerOp))
        {
            Add(table, [cpu.Load, cpu.Server, .. metrics.Select(m => Written(report, cpu.Load, cpu.Server, m)),
                report.Compared(cpu, Metric.CpuPerOp)]);
        }

        Print(table, console);
    }

    private static void PrintFootprint(BenchReport report, IAnsiConsole console)
    {
        var table = TableOf("figure", "server", "median", "to " + report.Baselines[0]);
        foreach (var metric in new[] { Metric.BytesPerItem, Metric.FirstPongMs, Metric.IdleRssMb })
        {
            foreach (var figure in report.Of(metric))
            {
                Add(table, metric.Title, figure.Server, metric.Write(figure.Value), report.Compared(figure, metric));
            }
        }

        Print(table, console);
    }

    private static IEnumerable<Measurement> InOrder(BenchReport report, Metric metric) =>
        report.Loads(metric).SelectMany(load => report.Of(metric).Where(m => m.Load == load));

    private static string Written(BenchReport report, string load, string server, Metric metric) =>
        report.Value(load, server, metric) is { } value ? metric.Write(value) : "";

    private static Table TableOf(params string[] columns)
    {
        var table = new Table().AddColumns(Array.ConvertAll(columns, Markup.Escape));
        foreach (var column in table.Columns.Skip(2))
        {
            column.RightAligned();
        }

        return table;
    }

    private static void Add(Table table, params string[] cells) => table.AddRow(Array.ConvertAll(cells, Markup.Escape));

    private static void Print(Table table, IAnsiConsole console)
    {
        if (table.Rows.Count > 0)
        {
            console.Write(table);
        }
    }
}
