using System.Globalization;
using System.Text.Json;
using Spectre.Console;
using Strata.Bench.Reports;

namespace Strata.Bench.Load;

/// <summary><c>strata-bench resp</c>: runs one load and prints what it measured.</summary>
internal static class LoadCommand
{
    /// <summary>Returns the exit code: 0, or 1 when the server answered nothing but errors.</summary>
    /// <exception cref="BenchException">The load could not be run to its end.</exception>
    public static int Run(LoadOptions options, BenchConsole console)
    {
        var result = options.Json
            ? LoadRun.Execute(options)
            : console.WithProgress(
                options.OperationName,
                report => LoadRun.Execute(options,
                    (done, replies) => report(done, Invariant($"{replies:N0} replies"))));
        if (options.Json)
        {
            console.Output.WriteLine(JsonSerializer.Serialize(result, BenchJson.Options));
        }
        else
        {
            PrintTable(result, console.Results);
        }

        return result.Operations > 0 && result.Errors.Values.Sum() == result.Operations ? 1 : 0;
    }

    private static void PrintTable(LoadResult result, IAnsiConsole console)
    {
        var table = new Table().HideHeaders().AddColumns("what", "figure");
        table.Columns[1].RightAligned();
        Row("operation", result.Operation);
        Row("operations", Invariant($"{result.Operations:N0} in {result.Seconds:F2} s"));
        Row("throughput", Invariant($"{result.OperationsPerSecond:N0} ops/s"));
        Row("latency p50", Invariant($"{result.P50Ms:F3} ms"));
        Row("latency p90", Invariant($"{result.P90Ms:F3} ms"));
        Row("latency p99", Invariant($"{result.P99Ms:F3} ms"));
        Row("latency p99.9", Invariant($"{result.P999Ms:F3} ms"));
        Row("latency max", Invariant($"{result.MaxMs:F3} ms"));
        if (result.Hits + result.Misses > 0)
        {
            var share = (double)result.Hits / (result.Hits + result.Misses);
            Row("hits, misses", Invariant($"{result.Hits:N0}, {result.Misses:N0} ({share:P2} hits)"));
        }

        if (result.IntegerSum != 0)
        {
            Row("sum of integers", Invariant($"{result.IntegerSum:N0}"));
        }

        foreach (var (text, count) in result.Errors)
        {
            Row("error: " + text, Invariant($"{count:N0}"));
        }

        console.Write(table);

        void Row(string what, string figure) => table.AddRow(Markup.Escape(what), Markup.Escape(figure));
    }

    private static string Invariant(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
