using System.Runtime.InteropServices;

namespace Strata.Bench.Reports;

/// <summary>The machine a report is from.</summary>
public sealed record MachineInfo(string Processor, int Cores, string System)
{
    private const string ModelLabel = "model name";

    public static MachineInfo Current()
    {
        // Not every architecture's /proc/cpuinfo names a model.
        var model = File.ReadLines("/proc/cpuinfo")
            .Where(line => line.StartsWith(ModelLabel, StringComparison.Ordinal))
            .Select(line => line[(line.IndexOf(':', StringComparison.Ordinal) + 1)..].Trim())
            .FirstOrDefault(RuntimeInformation.OSArchitecture.ToString());
        return new MachineInfo(model, Environment.ProcessorCount, RuntimeInformation.OSDescription);
    }
}
