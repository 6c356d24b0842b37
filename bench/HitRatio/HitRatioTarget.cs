using System.Globalization;
using Strata.Bench.Servers;

namespace Strata.Bench.HitRatio;

/// <summary>A server and the name it has in the table: one that runs at an address, or one to start.</summary>
internal sealed record HitRatioTarget(string Name, string Host, int Port, ServerSpec? ToStart)
{
    /// <summary>The servers to start and those that run, in this order.</summary>
    /// <exception cref="BenchException">There are none, or one is not written as it must be.</exception>
    public static List<HitRatioTarget> AllOf(HitRatioOptions options)
    {
        var toStart = options.Servers.Select(ServerSpec.Parse).Select(spec =>
        {
            var command = spec.Command.Replace("{maxmemory}", options.MaxMemory, StringComparison.Ordinal);
            return new HitRatioTarget(spec.Name, "127.0.0.1", 0, spec with { Command = command });
        });
        var targets = toStart.Concat(options.Targets.Select(Parse)).ToList();
        return targets.Count > 0 && targets.DistinctBy(t => t.Name).Count() == targets.Count
            ? targets
            : throw new BenchException("Give --server or --target at least once, each with a name of its own.");
    }

    private static HitRatioTarget Parse(string text)
    {
        var name = text.IndexOf('=', StringComparison.Ordinal);
        var port = text.LastIndexOf(':');
        return name > 0 && port > name + 1
            && int.TryParse(text.AsSpan(port + 1), NumberStyles.None, CultureInfo.InvariantCulture, out var number)
            ? new HitRatioTarget(text[..name], text[(name + 1)..port], number, null)
            : throw new BenchException($"--target {text} names no server: write it as NAME=HOST:PORT.");
    }
}
