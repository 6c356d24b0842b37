using System.Globalization;
using System.Text.Json;
using Spectre.Console;
using Strata.Bench.Reports;

namespace Strata.Bench.Kv;

/// <summary><c>strata-bench kv</c>: measures the storage library and prints what it did.</summary>
internal static class KvCommand
{
    /// <summary>Returns the exit code: 0, or 1 when no operation succeeded, or something was read that had not been
    /// written.</summary>
    /// <exception cref="BenchException">The run could not be made to its end.</exception>
    public static int Run(KvOptions options, BenchConsole console)
    {
        var result = options.Json
            ? KvRun.Execute(options)
            : console.WithProgress("kv", report => KvRun.Execute(options, report));
        var json = JsonSerializer.SerializeToElement(result, BenchJson.Options);
        if (options.Json)
        {
            console.Output.WriteLine(JsonSerializer.Serialize(json, BenchJson.Options));
        }
        else
        {
            PrintTable(result, console.Results);
        }

        if (options.CsvFile != null)
        {
            CsvFile.Append(options.CsvFile, json);
        }

        return result.Operations == 0 || result.Mismatches > 0 ? 1 : 0;
    }

    private static void PrintTable(KvResult result, IAnsiConsole console)
    {
        var table = new Table().HideHeaders().AddColumns("what", "figure");
        table.Columns[1].RightAligned();
        Row("device", result.Device);
        Row("load", Invariant($"{result.LoadOpsPerSecond:N0} ops/s, {result.LoadCpuUsPerOp:F2} µs CPU each"));
        Row("bytes per key", Invariant($"{result.BytesPerKey:F1}"));
        Row("in memory", Invariant($"{result.MemoryBytes / 1e6:N1} MB"));
        Row("on the device", Invariant($"{result.DeviceBytes / 1e6:N1} MB"));
        Row("operations", Invariant($"{result.Operations:N0} in {result.Seconds:F2} s"));
        Row("reads, upserts", Invariant($"{result.Reads:N0}, {result.Upserts:N0}"));
        Row("rmws, deletes", Invariant($"{result.Rmws:N0}, {result.Deletes:N0}"));
        Row("throughput", Invariant($"{result.OpsPerSecond:N0} ops/s"));
        Row("cold reads", Invariant($"{result.ColdReadsPerSecond:N0} /s ({result.SecondReads:N0} took a second read)"));
        Row("written", Invariant($"{result.WrittenMbPerSecond:N1} MB/s"));
        Row("CPU per operation", Invariant($"{result.CpuUsPerOp:F2} µs"));
        Row("latency p50", Invariant($"{result.P50Us:F1} µs"));
        Row("latency p90", Invariant($"{result.P90Us:F1} µs"));
        Row("latency p99", Invariant($"{result.P99Us:F1} µs"));
        Row("latency p99.9", Invariant($"{result.P999Us:F1} µs"));
        Row("latency max", Invariant($"{result.MaxUs:F1} µs"));
        Row("keys not there", Invariant($"{result.Missing:N0}"));
        Row("allocated", Invariant($"{result.AllocatedBytes:N0} bytes"));
        Row("mismatches", result.FirstMismatch == null ? "0" : Invariant(
            $"{result.Mismatches:N0}, the first: {result.FirstMismatch}"));
        foreach (var (text, count) in result.Errors)
        {
            Row("error: " + text, Invariant($"{count:N0}"));
        }

        console.Write(table);

        void Row(string what, string figure) => table.AddRow(Markup.Escape(what), Markup.Escape(figure));
    }

    private static string Invariant(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
