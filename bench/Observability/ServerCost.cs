using System.Globalization;
using Strata.Bench.Load;

namespace Strata.Bench.Observability;

/// <summary>What a server has used and done up to one moment, by INFO: of the CPU it tells microseconds, where /proc
/// tells hundredths of a second.</summary>
/// <param name="CpuSeconds">User and system time of the process.</param>
/// <param name="Commands">Commands executed.</param>
internal readonly record struct ServerCost(double CpuSeconds, double Commands)
{
    /// <summary>Asks.</summary>
    /// <exception cref="BenchException">The server does not answer, or not as it must.</exception>
    public static ServerCost Of(RespClient client)
    {
        var text = client.Call("INFO", "cpu", "stats")[0];
        return new(
            Field(text, "used_cpu_user") + Field(text, "used_cpu_sys"), Field(text, "total_commands_processed"));
    }

    private static double Field(string text, string name)
    {
        var line = text.Split("\r\n").FirstOrDefault(
            line => line.StartsWith(name + ":", StringComparison.Ordinal));
        return double.TryParse(line?[(name.Length + 1)..], CultureInfo.InvariantCulture, out var value)
            ? value
            : throw new BenchException($"The server's INFO has no {name}.");
    }
}
