namespace Strata.Bench.Versus;

/// <summary>One way to load a server: what is asked, over how many connections, and with how many workers.</summary>
/// <param name="Name">What it is chosen by.</param>
/// <param name="Sets">SETs of so many and <paramref name="Gets"/> commands.</param>
/// <param name="Gets">The others, which read.</param>
/// <param name="Connections">Connections of the client.</param>
/// <param name="Pipeline">Commands that each sends at a time.</param>
/// <param name="Workers">Workers of the server.</param>
/// <param name="ValueBytes">Bytes of a value; 0 for what the flags say.</param>
/// <param name="Keys">Different keys; 0 for what the flags say.</param>
/// <param name="KeysPerGet">Keys that one reading command names: of several it is MGET.</param>
/// <param name="IsFilled">Whether the keys that are read are there.</param>
internal sealed record VersusLoad(
    string Name,
    int Sets,
    int Gets,
    int Connections,
    int Pipeline,
    int Workers,
    int ValueBytes = 0,
    long Keys = 0,
    int KeysPerGet = 1,
    bool IsFilled = true)
{
    private const int LargeBytes = 16 << 10;
    private const int HugeBytes = 1 << 20;

    /// <summary>Memory per item: no client's load, but chosen by name like one.</summary>
    public const string Memory = "memory";

    /// <summary>Start to first PONG, and memory at rest.</summary>
    public const string Start = "start";

    public static readonly IReadOnlyList<VersusLoad> All =
    [
        new("get-p30", Sets: 0, Gets: 1, Connections: 16, Pipeline: 30, Workers: 1),
        new("set-p30", Sets: 1, Gets: 0, Connections: 16, Pipeline: 30, Workers: 1),
        new("mix1:10-p30", Sets: 1, Gets: 10, Connections: 16, Pipeline: 30, Workers: 1),
        new("mix1:10-p1", Sets: 1, Gets: 10, Connections: 50, Pipeline: 1, Workers: 1),
        new("mix1:10-p1-1000c", Sets: 1, Gets: 10, Connections: 1000, Pipeline: 1, Workers: 1),
        new("get-16k-p1", Sets: 0, Gets: 1, Connections: 50, Pipeline: 1, Workers: 1, LargeBytes, Keys: 5000),
        new("set-16k-p1", Sets: 1, Gets: 0, Connections: 50, Pipeline: 1, Workers: 1, LargeBytes, Keys: 5000),
        new("get-1m-p1", Sets: 0, Gets: 1, Connections: 4, Pipeline: 1, Workers: 1, HugeBytes, Keys: 100),
        new("mget30-p1", Sets: 0, Gets: 1, Connections: 50, Pipeline: 1, Workers: 1, KeysPerGet: 30),
        new("get-missing-p30", Sets: 0, Gets: 1, Connections: 16, Pipeline: 30, Workers: 1, IsFilled: false),
        new("get-p30-2workers", Sets: 0, Gets: 1, Connections: 16, Pipeline: 30, Workers: 2),
        new("set-p30-2workers", Sets: 1, Gets: 0, Connections: 16, Pipeline: 30, Workers: 2),
    ];

    /// <summary>Whether the keys must be there before it begins.</summary>
    public bool ReadsKeys => Gets > 0 && IsFilled;

    /// <summary>Whether it asks for both SET and GET.</summary>
    public bool IsMixed => Sets > 0 && Gets > 0;

    /// <summary>The same load with one worker; null when this is that load.</summary>
    public VersusLoad? WithOneWorker =>
        Workers == 1 ? null : All.First(l => this with { Name = l.Name, Workers = 1 } == l);
}
