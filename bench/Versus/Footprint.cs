using Strata.Bench.Load;
using Strata.Bench.Servers;

namespace Strata.Bench.Versus;

/// <summary>What a server takes besides time: memory for its items and at rest, and how long its start is.</summary>
internal static class Footprint
{
    private const int ItemValueBytes = 100;
    private const int SettleMs = 1_000;

    /// <summary>Resident memory that one item of a 13-byte key and a 100-byte value adds.</summary>
    /// <exception cref="BenchException">The server failed or does not hold all items.</exception>
    public static double BytesPerItem(ServerSpec spec, long items)
    {
        using var server = ServerProcess.Start(spec, cpus: null);
        Thread.Sleep(SettleMs);
        var before = server.ResidentBytes;
        var loaded = LoadRun.Execute(new LoadOptions
        {
            Port = server.Port,
            Keys = items,
            ValueSizeBytes = ItemValueBytes,
            RuntimeSeconds = 0,
            Connections = 4,
            Pipeline = 50,
        });
        Thread.Sleep(SettleMs);
        var after = server.ResidentBytes;
        using var control = RespClient.Connect("127.0.0.1", server.Port, password: null);
        var held = control.Call("DBSIZE")[0];
        return loaded.Errors.Count == 0 && held == FormattableString.Invariant($"{items}")
            ? (after - before) / (double)items
            : throw new BenchException($"{spec.Name} holds {held} of {items} items"
                + $"{string.Concat(loaded.Errors.Keys.Select(e => ", and answered '" + e + "'"))}: "
                + "the memory measurement needs it to hold all.");
    }

    /// <summary>Milliseconds from the command to the first PONG, and resident megabytes a while later. The server is
    /// not pinned: a start uses what cores there are.</summary>
    public static (double FirstPongMs, double IdleRssMb) AtRest(ServerSpec spec)
    {
        using var server = ServerProcess.Start(spec, cpus: null);
        Thread.Sleep(SettleMs);
        return (server.StartMs, server.ResidentBytes / (double)(1 << 20));
    }
}
