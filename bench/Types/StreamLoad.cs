namespace Strata.Bench.Types;

/// <summary>Loads on streams: a log that is kept short, a look at a few entries, and work that a group's consumer takes
/// and acknowledges.</summary>
internal static class StreamLoad
{
    /// <summary>The fields of an entry.</summary>
    public const string Fields = "sensor {data:8} temperature {random:100} humidity {random:100}";

    private const int Streams = 100;
    private const int PerStream = 1_000;
    private const int PerRange = 10;

    // An id, and three fields.
    private const int ValuesPerEntry = 7;

    private const string MakeGroups =
        """redis.pcall("XGROUP", "CREATE", KEYS[1], "workers", "0", "MKSTREAM") """
        + """redis.pcall("XGROUP", "CREATE", KEYS[2], "workers", "0", "MKSTREAM") return 1""";

    /// <summary>All of them.</summary>
    /// <param name="requests">Requests of the load that uses its entries up.</param>
    public static IReadOnlyList<TypeLoad> All(long requests) =>
    [
        new("xadd", $"XADD stream:{{random:{Streams}}} MAXLEN ~ {PerStream} * {Fields}") { ValuesPerOperation = 1 },
        new("xrange", $"XRANGE stream:{{random:{Streams}}} 1-{{random:{PerStream - PerRange}}} + COUNT {PerRange}")
        {
            Fill = new DataFill($"XADD stream:{{key/{PerStream}}} 1-{{key%{PerStream}}} {Fields}", Streams * PerStream)
            {
                Connections = 1,
            },
            ValuesPerOperation = PerRange * ValuesPerEntry,
        },
        new("xreadgroup-xack", Work("jobs"))
        {
            Fill = new DataFill(
                $"EVAL '{MakeGroups}' 2 jobs warmup {{key%1}};XADD jobs 1-{{key/3}} {Fields};"
                + $"XADD warmup 1-{{key/3}} {Fields}",
                requests / 2 * 3) { Connections = 1 },
            WarmUp = Work("warmup"),
            Connections = 1,
            Requests = requests / 2 * 2,
            RequestsPerOperation = 2,
            ValuesPerOperation = 1 + ValuesPerEntry,
            SumPerOperation = 1,
        },
    ];

    private static string Work(string stream) =>
        $"XREADGROUP GROUP workers consumer{{key%1}} COUNT 1 STREAMS {stream} >;XACK {stream} workers 1-{{key/2}}";
}
