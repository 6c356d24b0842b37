using System.Globalization;
using Strata.Bench.Versus;

namespace Strata.Bench.Disk;

/// <summary><c>strata-bench disk</c>: measures a file system through all layers and prints one table.</summary>
internal static class DiskCommand
{
    private const string DefaultMemtier = "memtier_benchmark";

    /// <exception cref="BenchException">The flags are wrong, or what was measured failed.</exception>
    public static int Run(DiskOptions options, BenchConsole console)
    {
        options.Validate();
        var leftOut = new List<string>();
        var fio = FindFio(options, leftOut);
        var server = FindServer(options, leftOut);
        var report = console.WithProgress(
            "disk", onProgress => DiskRun.Execute(options, fio, server, leftOut, onProgress));
        Print(report, console.Output);
        if (options.Json != null)
        {
            report.Save(options.Json);
        }

        return 0;
    }

    private static FioTool? FindFio(DiskOptions options, List<string> leftOut)
    {
        var path = ToolProcess.Find(options.Fio);
        if (path == null)
        {
            leftOut.Add($"fio: there is no {options.Fio}; install the package fio.");
        }

        return path == null ? null : new FioTool(path, options);
    }

    private static TierServer? FindServer(DiskOptions options, List<string> leftOut)
    {
        if (options.Server == null)
        {
            leftOut.Add("the server: --server does not say how to start it.");
            return null;
        }

        var wanted = options.Memtier ?? Environment.GetEnvironmentVariable("MEMTIER");
        var memtier = ToolProcess.Find(wanted is null or "" ? DefaultMemtier : wanted);
        if (memtier == null)
        {
            leftOut.Add("the server: memtier_benchmark is not on the PATH; build it from "
                + "https://github.com/RedisLabs/memtier_benchmark, and name it with --memtier or MEMTIER.");
        }

        return memtier == null ? null : new TierServer(options, memtier);
    }

    private static void Print(DiskReport report, TextWriter output)
    {
        output.WriteLine("| what | backend | ops/s | disk reads/s | CPU per op, µs | p99, ms | disk reads to |");
        output.WriteLine("|---|---|---:|---:|---:|---:|---|");
        foreach (var row in report.Rows)
        {
            var ratio = row.Ratio == null ? "" : Invariant($"{row.Ratio:F2} × {row.ComparedWith}");
            output.WriteLine(Invariant($"| {row.What} | {row.Backend} | {row.OpsPerSecond:N0} | ")
                + Invariant($"{row.DiskReadsPerSecond:N0} | {row.CpuUsPerOp:F2} | {row.P99Us / 1e3:F2} | {ratio} |"));
        }

        foreach (var what in report.LeftOut)
        {
            output.WriteLine();
            output.WriteLine("Note: " + what);
        }
    }

    private static string Invariant(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
