namespace Strata.Bench.Durability;

/// <summary>A load on a server that keeps its data.</summary>
/// <param name="Name">The name of the load.</param>
/// <param name="Flags">What stands for {flags} in the servers' commands; Redis's and Strata's are the same.</param>
internal sealed record DurabilityLoad(string Name, string Flags)
{
    // The journal grows during a load and is not to be begun anew.
    private const string Journal = "--appendonly yes --auto-aof-rewrite-percentage 0 --appendfsync ";
    private const string NoJournal = "--appendonly no";

    private static readonly string[] s_pipelined = ["--connections", "16", "--pipeline", "30"];
    private static readonly string[] s_alone = ["--connections", "50", "--pipeline", "1"];

    /// <summary>What is sent and measured, as <c>strata-bench resp</c> takes it; empty where something else is
    /// measured.</summary>
    public string[] Sent { get; init; } = [];

    /// <summary>What other clients send beside it; empty where there are none.</summary>
    public string[] Beside { get; init; } = [];

    /// <summary>The kind of figure that what is sent gives besides its cost: SETs or GETs a second.</summary>
    public bool IsOfSets { get; init; }

    /// <summary>SET while nothing is kept, GET likewise, and with a journal that is synced each second; 50 clients that
    /// wait for the disk with each SET, alone and beside others that read; a snapshot while nobody waits, and while
    /// there are clients.</summary>
    public static readonly IReadOnlyList<DurabilityLoad> All =
    [
        new("set-off", NoJournal) { Sent = ["--op", "set", .. s_pipelined] },
        new("get-off", NoJournal) { Sent = ["--op", "get", .. s_pipelined] },
        new("set-everysec", Journal + "everysec") { Sent = ["--op", "set", .. s_pipelined] },
        new("set-always", Journal + "always") { Sent = ["--op", "set", .. s_alone], IsOfSets = true },
        new("mixed-always", Journal + "always")
        {
            // Others' keys: what is read is on the disk.
            Sent = ["--command", "SET other:{random:100000} {data:256}", .. s_alone],
            Beside = ["--op", "get", .. s_alone],
            IsOfSets = true,
        },
        new(SaveLoad, NoJournal),
        new(Snapshot, NoJournal),
    ];

    /// <summary>The name of the load that saves and loads.</summary>
    public const string SaveLoad = "save-load";

    /// <summary>The name of the load with a snapshot under way.</summary>
    public const string Snapshot = "bgsave";
}
