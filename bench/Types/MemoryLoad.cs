namespace Strata.Bench.Types;

/// <summary>Data whose memory is measured.</summary>
/// <param name="Name">The name of the load.</param>
/// <param name="Fill">How it comes into the server; every request adds an element.</param>
/// <param name="Count">The command that says how many elements are there, or collections of elements.</param>
internal sealed record MemoryLoad(string Name, DataFill Fill, string Count)
{
    private const int PerSmall = 10;

    /// <summary>How many elements there are of what is counted.</summary>
    public int PerCounted { get; init; } = 1;

    /// <summary>What the count must be.</summary>
    public long Expected => (Fill.Requests + PerCounted - 1) / PerCounted;

    /// <summary>All of them.</summary>
    /// <param name="items">Elements of a large collection; there are a tenth as many small ones.</param>
    public static IReadOnlyList<MemoryLoad> All(long items) =>
    [
        new("memory-hash", new DataFill("HSET hash f{key} {data:50}", items), "HLEN hash"),
        new("memory-set", new DataFill("SADD set m{key}", items), "SCARD set"),
        new("memory-sorted-set", new DataFill("ZADD zset {random:1000000000} m{key}", items), "ZCARD zset"),
        new("memory-stream", new DataFill($"XADD stream * {StreamLoad.Fields}", items), "XLEN stream"),
        new("memory-list", new DataFill("RPUSH list {data:50}", items), "LLEN list"),
        new("memory-small-hashes", new DataFill("HSET hash:{key}" + string.Concat(
            Enumerable.Range(0, PerSmall).Select(i => $" f{i} {{data:20}}")), Math.Max(1, items / PerSmall)), "DBSIZE"),
        new("memory-small-streams",
            new DataFill($"XADD stream:{{key/{PerSmall}}} 1-{{key%{PerSmall}}} {StreamLoad.Fields}", items)
            {
                Connections = 1,
            },
            "DBSIZE") { PerCounted = PerSmall },
    ];
}
