using System.Globalization;
using Strata.Bench.Versus;

namespace Strata.Bench.Types;

/// <summary>A load that comes from another process of this program, pinned to CPUs of its own.</summary>
internal static class LoadProcess
{
    /// <summary>Runs <c>strata-bench resp</c> to its end.</summary>
    /// <param name="port">The server's.</param>
    /// <param name="cpus">CPUs to pin it to, as taskset takes them; null leaves it free.</param>
    /// <param name="flags">The other flags.</param>
    /// <exception cref="BenchException">The load failed.</exception>
    public static LoadFigures Run(int port, string? cpus, string[] flags)
    {
        // Published, the program is a file of its own; built for development, dotnet runs it.
        var self = Environment.ProcessPath!;
        var assembly = typeof(LoadProcess).Assembly;
        var isProgram = Path.GetFileName(self) == assembly.GetName().Name;
        string[] program = isProgram ? [] : [assembly.Location];
        var text = ToolProcess.Run(isProgram ? self : "dotnet", cpus,
            [.. program, "resp", "--json", "--port", port.ToString(CultureInfo.InvariantCulture), .. flags]);
        return LoadFigures.Parse(text);
    }
}
