namespace Strata.Bench.Observability;

/// <summary>A load under which a server is watched, or not.</summary>
/// <param name="Name">The name of the load.</param>
/// <param name="Sent">What is sent, as <c>strata-bench resp</c> takes it; empty where something else is measured.
/// </param>
internal sealed record ObservabilityLoad(string Name, string[] Sent)
{
    /// <summary>The name of the one under which no client sends anything.</summary>
    public const string Idle = "idle";

    /// <summary>The name of the one that measures scrapes.</summary>
    public const string Scrape = "scrape";

    /// <summary>The name of the one that tells of memory.</summary>
    public const string Memory = "memory";

    private static readonly string[] s_pipelined = ["--connections", "16", "--pipeline", "30"];
    private static readonly string[] s_alone = ["--connections", "50", "--pipeline", "1"];

    /// <summary>GET, SET and one SET to ten GETs, in pipelines and one at a time; no load; scrapes alone;
    /// memory.</summary>
    public static readonly IReadOnlyList<ObservabilityLoad> All =
    [
        new("get-p30", ["--op", "get", .. s_pipelined]),
        new("set-p30", ["--op", "set", .. s_pipelined]),
        new("mix-p30", ["--op", "mix", .. s_pipelined]),
        new("get-p1", ["--op", "get", .. s_alone]),
        new("set-p1", ["--op", "set", .. s_alone]),
        new("mix-p1", ["--op", "mix", .. s_alone]),
        new(Idle, []),
        new(Scrape, []),
        new(Memory, []),
    ];
}
