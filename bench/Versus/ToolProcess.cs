using System.ComponentModel;
using System.Diagnostics;

namespace Strata.Bench.Versus;

/// <summary>Runs a load tool to its end, pinned to the client's CPUs.</summary>
internal static class ToolProcess
{
    private const int ShownCharacters = 800;

    /// <summary>Returns what the tool wrote to its standard output and error, one after the other.</summary>
    /// <exception cref="BenchException">It cannot be started, or ended with an error.</exception>
    public static string Run(string tool, string cpus, IEnumerable<string> arguments)
    {
        var start = new ProcessStartInfo("taskset", ["-c", cpus, tool, .. arguments])
        {
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            RedirectStandardInput = true,
        };
        try
        {
            using var process = Process.Start(start)!;
            process.StandardInput.Close();
            var error = process.StandardError.ReadToEndAsync();
            var text = process.StandardOutput.ReadToEnd() + error.GetAwaiter().GetResult();
            process.WaitForExit();
            return process.ExitCode == 0
                ? text
                : throw new BenchException($"{tool} failed with exit code {process.ExitCode}: {Tail(text)}");
        }
        catch (Win32Exception e)
        {
            throw new BenchException($"Cannot run taskset: {e.Message}. Install util-linux.", e);
        }
    }

    /// <summary>The end of a long text.</summary>
    public static string Tail(string text)
    {
        var trimmed = text.Trim();
        return trimmed[^Math.Min(trimmed.Length, ShownCharacters)..];
    }
}
