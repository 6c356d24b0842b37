using System.Globalization;
using Strata.Bench.Load;
using Strata.Bench.Servers;
using Strata.Bench.Versus;

namespace Strata.Bench.Disk;

/// <summary>The server with more data than memory, loaded by memtier_benchmark.</summary>
internal sealed class TierServer(DiskOptions options, string memtier)
{
    private const int ValueBytes = 100;

    private static readonly VersusLoad[] s_loads =
    [
        new("GET, 16 connections, pipeline 30", Sets: 0, Gets: 1, Connections: 16, Pipeline: 30, Workers: 1),
        new("GET, 50 connections, pipeline 1", Sets: 0, Gets: 1, Connections: 50, Pipeline: 1, Workers: 1),
    ];

    /// <summary>Starts the server in a folder, fills it once, and measures each load.</summary>
    /// <exception cref="BenchException">The server or the load tool failed.</exception>
    public IEnumerable<DiskRow> Run(string folder, string backend)
    {
        var command = options.Server!
            .Replace("{dir}", folder, StringComparison.Ordinal)
            .Replace("{backend}", backend, StringComparison.Ordinal)
            .Replace("{memory}", options.ServerMemory, StringComparison.Ordinal);
        using var server = ServerProcess.Start(new ServerSpec("server", 0, command), options.ServerCpus);
        var tool = new MemtierTool(memtier, new VersusOptions
        {
            Keys = (int)options.Keys,
            ValueSizeBytes = ValueBytes,
            ClientCpus = options.ClientCpus,
        });
        tool.Fill(s_loads[0], server.Port);
        foreach (var load in s_loads)
        {
            _ = tool.Run(load, server.Port, Math.Max(1, options.Seconds / 4));
            yield return Measure(tool, load, server, backend);
        }
    }

    private DiskRow Measure(MemtierTool tool, VersusLoad load, ServerProcess server, string backend)
    {
        var readsBefore = ColdReads(server.Port);
        var cpuBefore = server.CpuTime;
        var sample = tool.Run(load, server.Port, options.Seconds);
        var cpu = server.CpuTime - cpuBefore;
        if (sample.Operations == 0)
        {
            throw new BenchException("memtier_benchmark got no reply from the server: see the server's log.");
        }

        var coldShare = (ColdReads(server.Port) - readsBefore) / (double)sample.Operations;
        return new DiskRow
        {
            What = "server " + load.Name,
            Backend = backend,
            OpsPerSecond = sample.OpsPerSecond,
            DiskReadsPerSecond = coldShare * sample.OpsPerSecond,
            CpuUsPerOp = cpu.TotalMicroseconds / sample.Operations,
            P99Us = sample.P99Ms * 1e3,
        };
    }

    /// <summary>Records that the server has read from its disk since its start; null when it does not say.</summary>
    private static long? ColdReads(int port)
    {
        using var client = RespClient.Connect("127.0.0.1", port, password: null);
        return ServerInfo.Ask(client, "tier").Find("tier_reads") is { } reads
            ? long.Parse(reads, CultureInfo.InvariantCulture)
            : null;
    }
}
