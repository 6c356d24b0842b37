using System.ComponentModel;
using System.Diagnostics;

namespace Strata.Bench.Versus;

/// <summary>Finds and runs other programs that load a server or a disk.</summary>
internal static class ToolProcess
{
    private const int ShownCharacters = 800;

    /// <summary>Where a program is: in the folder its name says, else on the PATH; null when it is not there.</summary>
    public static string? Find(string program) => program.Contains('/', StringComparison.Ordinal)
        ? File.Exists(program) ? Path.GetFullPath(program) : null
        : (Environment.GetEnvironmentVariable("PATH") ?? "").Split(':')
            .Select(folder => Path.Combine(folder, program)).FirstOrDefault(File.Exists);

    /// <summary>Runs a tool to its end.</summary>
    /// <param name="tool">The program.</param>
    /// <param name="cpus">CPUs to pin it to, as taskset takes them; null leaves it free.</param>
    /// <param name="arguments">Its arguments.</param>
    /// <returns>What the tool wrote to its standard output and error, one after the other.</returns>
    /// <exception cref="BenchException">It cannot be started, or ended with an error.</exception>
    public static string Run(string tool, string? cpus, IEnumerable<string> arguments)
    {
        var (program, all) = cpus == null ? (tool, arguments) : ("taskset", ["-c", cpus, tool, .. arguments]);
        var start = new ProcessStartInfo(program, all)
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
            var remedy = cpus == null ? "" : " Install util-linux.";
            throw new BenchException($"Cannot run {program}: {e.Message}.{remedy}", e);
        }
    }

    /// <summary>The end of a long text.</summary>
    public static string Tail(string text)
    {
        var trimmed = text.Trim();
        return trimmed[^Math.Min(trimmed.Length, ShownCharacters)..];
    }
}
