using Strata.Server.Lifecycle;
using Strata.Server.Options;
using Strata.Storage.Memory;
using Strata.Storage.Runtime;
using Strata.Storage.Sharding;

namespace Strata.Server.Runtime;

/// <summary>What the whole server has in common and everything in it may know: its data, its configuration, and what
/// it takes from the machine. Made at the start; any thread.</summary>
public sealed class ServerContext
{
    internal ServerContext(ServerLog log)
    {
        Log = log;
    }

    /// <summary>The configuration, which may change while the server runs.</summary>
    public required ConfigurationStore Configuration { get; init; }

    /// <summary>The data.</summary>
    public required ShardMap Shards { get; init; }

    /// <summary>Which of the clients' databases is which of the shards'.</summary>
    public required DatabaseMap Databases { get; init; }

    /// <summary>The way to end the process.</summary>
    public required ServerShutdown Shutdown { get; init; }

    /// <summary>Number of workers.</summary>
    public required int WorkerCount { get; init; }

    /// <summary>Clock, pollers, random numbers.</summary>
    public required Platform Platform { get; init; }

    /// <summary>Tells when no worker reads what was retired.</summary>
    public required Quiescence Quiescence { get; init; }

    /// <summary>How much of what was changed is on the disk.</summary>
    public Durability Durability { get; } = new();

    /// <summary>How little maxmemory may be.</summary>
    internal LeastMemory LeastMemory { get; set; } = new(0, 0);

    /// <summary>How much a command may do with the elements of its keys in one go; of more it does a quarter of that in
    /// each step. Other than <see cref="ServerLimits.EffortAtOnce"/> only in tests.</summary>
    internal int EffortAtOnce { get; set; } = ServerLimits.EffortAtOnce;

    /// <summary>How much of what takes several steps is done in one, likewise.</summary>
    internal int EffortOfStep => Math.Max(1, EffortAtOnce / 4);

    /// <summary>Whether checksums of RDB files and payloads count for nothing; for tests of what is damaged (DEBUG
    /// SET-SKIP-CHECKSUM-VALIDATION).</summary>
    internal bool SkipsChecksums { get; set; }

    internal ServerLog Log { get; }
}
