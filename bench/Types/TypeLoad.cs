using System.Globalization;
using Strata.Bench.Load;

namespace Strata.Bench.Types;

/// <summary>
/// A load on one type: what is there before it begins, what is sent, and what must come back. Commands are in the
/// notation of <see cref="CommandTemplate"/>. A load that leaves its data as it is runs for a time; one that uses its
/// data up, or makes it grow, sends a number of requests, so that every server does the same.
/// </summary>
/// <param name="Name">The name of the load.</param>
/// <param name="Command">What is sent over and over.</param>
internal sealed record TypeLoad(string Name, string Command)
{
    private const string Transaction =
        "MULTI;SET key:{random:100000} {data:50};GET key:{random:100000};INCR ctr:{random:1000};"
        + "SET key:{random:100000} {data:50};GET key:{random:100000};EXEC";

    private const string RangesOfTen =
        "ZRANGE zset:{random:100} 0 9;ZRANGE zset:{random:100} 250 259;ZRANGE zset:{random:100} 495 504;"
        + "ZRANGE zset:{random:100} 700 709;ZRANGE zset:{random:100} 990 999";

    private static readonly DataFill s_hashes =
        new("HSET hash:{key/20} field:{key%20} {data:50}", 1_000 * 20);

    private static readonly DataFill s_sortedSets =
        new("ZADD zset:{key/1000} {random:1000000} member:{key%1000}", 100 * 1_000);

    public DataFill? Fill { get; init; }

    /// <summary>What is sent to warm up, where it is something else.</summary>
    public string? WarmUp { get; init; }

    /// <summary>How many requests are measured, after half as many to warm up; 0 for a measurement by time.</summary>
    public long Requests { get; init; }

    public int Connections { get; init; } = 16;

    public int Pipeline { get; init; } = 30;

    public int Subscribers { get; init; }

    /// <summary>How many workers the server has; a load with more than one is for servers that let it be chosen.
    /// </summary>
    public int Workers { get; init; } = 1;

    /// <summary>The name of the same load with one worker; null where this is that load.</summary>
    public string? WithOneWorker { get; init; }

    /// <summary>Requests that make one operation: a transaction is one.</summary>
    public int RequestsPerOperation { get; init; } = 1;

    /// <summary>Values that every operation must be answered; null where it may vary.</summary>
    public int? ValuesPerOperation { get; init; }

    /// <summary>What the integers in the answer to an operation must add up to; null where it may vary.</summary>
    public int? SumPerOperation { get; init; }

    /// <summary>All of them.</summary>
    /// <param name="items">Members of the large sorted set.</param>
    /// <param name="requests">Requests of loads that change how much data there is.</param>
    public static IReadOnlyList<TypeLoad> All(long items, long requests) =>
    [
        new("hset", "HSET hash:{random:1000} field:{random:20} {data:50}") { Fill = s_hashes, SumPerOperation = 0 },
        new("hget", "HGET hash:{random:1000} field:{random:20}") { Fill = s_hashes, ValuesPerOperation = 1 },
        new("lpush", "LPUSH list:{key%1000} {data:50}") { Requests = requests },
        new("lpop", "LPOP list:{key%1000}")
        {
            // A quarter of it stays, so that no list runs dry.
            Fill = new DataFill("RPUSH list:{key%1000} {data:50}", requests * 2),
            Requests = requests,
            ValuesPerOperation = 1,
        },
        new("sadd", "SADD set:{key%1000} member:{key}")
        {
            WarmUp = "SADD set:{key%1000} warmup:{key}",
            Requests = requests,
            SumPerOperation = 1,
        },
        new("sismember", "SISMEMBER set:{random:100} member:{random:1000}")
        {
            Fill = new DataFill("SADD set:{key/1000} member:{key%1000}", 100 * 1_000),
            SumPerOperation = 1,
        },
        new("zadd", "ZADD zset:{random:100} {random:1000000} member:{random:1000}")
        {
            Fill = s_sortedSets,
            SumPerOperation = 0,
        },
        new("zadd-large", string.Create(
            CultureInfo.InvariantCulture, $"ZADD zset {{random:1000000000}} member:{{random:{items}}}"))
        {
            Fill = new DataFill("ZADD zset {random:1000000000} member:{key}", items),
            SumPerOperation = 0,
        },
        new("zrange", RangesOfTen) { Fill = s_sortedSets, ValuesPerOperation = 10 },
        new("multi-5", Transaction)
        {
            Fill = new DataFill("SET key:{key} {data:50}", 100_000),
            // Whole transactions.
            Pipeline = 35,
            RequestsPerOperation = 7,
            ValuesPerOperation = 2,
        },
        new("publish-100", $"PUBLISH {Load.Subscribers.Channel} {{data:50}}")
        {
            Connections = 1,
            Subscribers = 100,
            SumPerOperation = 100,
        },
        .. StreamLoad.All(requests),
        .. GeoLoad.All,
        .. HyperLogLogLoad.All,
        .. ScriptLoad.All(requests),
    ];
}
