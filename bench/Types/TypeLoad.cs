namespace Strata.Bench.Types;

/// <summary>A load on one type: what is there before it begins, and what is sent. Commands are in the notation of
/// <see cref="Load.CommandTemplate"/>.</summary>
/// <param name="Name">The name of the load.</param>
/// <param name="Command">What is sent over and over.</param>
/// <param name="Fill">What is sent once for each of <paramref name="FillKeys"/>, if anything.</param>
/// <param name="FillKeys">How many.</param>
internal sealed record TypeLoad(string Name, string Command, string? Fill = null, long FillKeys = 0)
{
    private const string Transaction =
        "MULTI;SET key:{random:100000} {data:50};GET key:{random:100000};INCR ctr:{random:1000};"
        + "SET key:{random:100000} {data:50};GET key:{random:100000};EXEC";

    public static readonly IReadOnlyList<TypeLoad> All =
    [
        new("hset", "HSET hash:{random:1000} field:{random:20} {data:50}",
            "HSET hash:{random:1000} field:{random:20} {data:50}", 100_000),
        new("hget", "HGET hash:{random:1000} field:{random:20}",
            "HSET hash:{random:1000} field:{random:20} {data:50}", 100_000),
        new("lpush-lpop", "LPUSH list:{random:1000} {data:50};LPOP list:{random:1000}",
            "LPUSH list:{random:1000} {data:50}", 20_000),
        new("sadd", "SADD set:{random:1000} member:{random:1000}",
            "SADD set:{random:1000} member:{random:1000}", 200_000),
        new("sismember", "SISMEMBER set:{random:1000} member:{random:1000}",
            "SADD set:{random:1000} member:{random:1000}", 200_000),
        new("zadd", "ZADD zset:{random:100} {random:1000000} member:{random:1000}",
            "ZADD zset:{random:100} {random:1000000} member:{random:1000}", 400_000),
        new("zadd-1million", "ZADD zset {random:1000000000} member:{random:1000000}",
            "ZADD zset {random:1000000000} member:{key}", 1_000_000),
        new("zrange", "ZRANGE zset:{random:100} 0 9;ZRANGE zset:{random:100} 250 259;"
            + "ZRANGE zset:{random:100} 495 504;ZRANGE zset:{random:100} 700 709;ZRANGE zset:{random:100} 900 909",
            "ZADD zset:{random:100} {random:1000000} member:{random:1000}", 600_000),
        new("multi-5", Transaction, "SET key:{key} {data:50}", 100_000) { Pipeline = 35 },
        new("publish-100", "PUBLISH " + Load.Subscribers.Channel + " {data:50}") { Subscribers = 100, Connections = 1 },
    ];

    /// <summary>Loads of data alone, whose memory is measured.</summary>
    public static readonly IReadOnlyList<TypeLoad> Memory =
    [
        new("memory-hash", "", "HSET hash f{key} {data:50}", 1_000_000),
        new("memory-set", "", "SADD set m{key}", 1_000_000),
        new("memory-sorted-set", "", "ZADD zset {key} m{key}", 1_000_000),
        new("memory-list", "", "RPUSH list {data:50}", 1_000_000),
        new("memory-small-hashes", "", "HSET hash:{key} f0 {data:20} f1 {data:20} f2 {data:20} f3 {data:20} "
            + "f4 {data:20} f5 {data:20} f6 {data:20} f7 {data:20} f8 {data:20} f9 {data:20}", 100_000),
    ];

    public int Connections { get; init; } = 16;

    public int Pipeline { get; init; } = 30;

    public int Subscribers { get; init; }

    /// <summary>Requests that make one operation: a transaction is one.</summary>
    public int RequestsPerOperation => Command == Transaction ? Command.Split(';').Length : 1;

    /// <summary>Whether only memory is measured.</summary>
    public bool IsMemory => Command.Length == 0;
}
