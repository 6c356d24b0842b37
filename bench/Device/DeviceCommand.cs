using System.Globalization;
using System.Text.Json;
using Spectre.Console;
using Strata.Bench.Reports;

namespace Strata.Bench.Device;

/// <summary><c>strata-bench device</c>: measures one device and prints what it did.</summary>
internal static class DeviceCommand
{
    /// <summary>Returns the exit code: 0, or 1 when no request succeeded.</summary>
    /// <exception cref="BenchException">The device cannot be opened or written, or hangs.</exception>
    public static int Run(DeviceOptions options, BenchConsole console)
    {
        var result = options.Json
            ? DeviceRun.Execute(options)
            : console.WithProgress("device", report => DeviceRun.Execute(options, report));
        if (options.Json)
        {
            console.Output.WriteLine(JsonSerializer.Serialize(result, BenchJson.Options));
        }
        else
        {
            PrintTable(result, console.Results);
        }

        return result.Operations == 0 ? 1 : 0;
    }

    private static void PrintTable(DeviceResult result, IAnsiConsole console)
    {
        var table = new Table().HideHeaders().AddColumns("what", "figure");
        table.Columns[1].RightAligned();
        Row("device", result.Device);
        Row("operations", Invariant($"{result.Reads:N0} reads, {result.Writes:N0} writes in {result.Seconds:F2} s"));
        Row("IOPS", Invariant($"{result.Iops:N0}"));
        Row("throughput", Invariant($"{result.MbPerSecond:N1} MB/s"));
        Row("CPU per operation", Invariant($"{result.CpuUsPerOp:F2} µs"));
        Row("latency p50", Invariant($"{result.P50Us:F1} µs"));
        Row("latency p90", Invariant($"{result.P90Us:F1} µs"));
        Row("latency p99", Invariant($"{result.P99Us:F1} µs"));
        Row("latency p99.9", Invariant($"{result.P999Us:F1} µs"));
        Row("latency max", Invariant($"{result.MaxUs:F1} µs"));
        foreach (var (text, count) in result.Errors)
        {
            Row("error: " + text, Invariant($"{count:N0}"));
        }

        console.Write(table);

        void Row(string what, string figure) => table.AddRow(Markup.Escape(what), Markup.Escape(figure));
    }

    private static string Invariant(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
