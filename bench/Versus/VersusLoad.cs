namespace Strata.Bench.Versus;

/// <summary>One way to load a server: what is asked, over how many connections, and with how many workers.</summary>
internal sealed record VersusLoad(string Name, int Sets, int Gets, int Connections, int Pipeline, int Workers)
{
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
        new("get-p30-2workers", Sets: 0, Gets: 1, Connections: 16, Pipeline: 30, Workers: 2),
        new("set-p30-2workers", Sets: 1, Gets: 0, Connections: 16, Pipeline: 30, Workers: 2),
    ];

    /// <summary>Whether the keys must be there before it begins.</summary>
    public bool ReadsKeys => Gets > 0;

    /// <summary>Whether it asks for both SET and GET.</summary>
    public bool IsMixed => Sets > 0 && Gets > 0;

    /// <summary>The same load with one worker; null when this is that load.</summary>
    public VersusLoad? WithOneWorker =>
        Workers == 1 ? null : All.First(l => this with { Name = l.Name, Workers = 1 } == l);
}
