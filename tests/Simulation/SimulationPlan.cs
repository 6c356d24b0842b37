using Strata.Server.Journal.Files;
using Strata.Tests.Simulation.Streams;

namespace Strata.Tests.Simulation;

/// <summary>All that makes a run: the same plan gives the same run.</summary>
/// <param name="Seed">Decides the order of turns, and when what goes wrong.</param>
/// <param name="Workers">1 to 4, seldom more, up to 8.</param>
/// <param name="HasTier">Whether data goes to the simulated device.</param>
/// <param name="Policy">What is evicted where memory is short and there is no tier.</param>
/// <param name="Faults">What goes wrong.</param>
/// <param name="Clients">What the clients do.</param>
internal sealed record SimulationPlan(
    ulong Seed,
    int Workers,
    bool HasTier,
    string Policy,
    SimulationFaults Faults,
    IReadOnlyList<ClientScript> Clients)
{
    /// <summary>Shards of the server.</summary>
    public const int Shards = 4;

    private const int LatestRewrite = 400;

    private static readonly string[] s_policies =
    [
        "noeviction", "noeviction", "noeviction", "allkeys-lru", "allkeys-lfu", "allkeys-random", "volatile-lru",
        "volatile-lfu", "volatile-random", "volatile-ttl",
    ];

    private const SimulationFaults OfTheDisk = SimulationFaults.SlowDisk | SimulationFaults.FailingDisk;

    /// <summary>Whether any client has scripts executed.</summary>
    public bool UsesScripts
        => Clients.Any(client => client.Batches.Any(batch => batch.Any(request => request.Script != null)));

    /// <summary>Whether <paramref name="fault"/> is part of it.</summary>
    public bool Has(SimulationFaults fault) => (Faults & fault) != 0;

    /// <summary>Whether the changes of keys are listened to: where keys are evicted the check must know, and else in
    /// every other run, since where nobody listens the server takes other ways.</summary>
    public bool IsWitnessed => Policy != s_policies[0] || Seed % 2 == 0;

    /// <summary>Whether what the journal is told is repeated at the end: in every third run, with memory for it.
    /// </summary>
    public bool IsJournaled => Seed % 3 == 0 && !Has(SimulationFaults.ShortMemory);

    /// <summary>After how many steps the journal is rewritten; -1 where it is not.</summary>
    public int RewriteAt => IsJournaled && Seed % 2 == 0 ? (int)(Seed / 12 % LatestRewrite) : -1;

    /// <summary>Whether collections of two elements are large, and commands over them go on in steps.</summary>
    public bool MakesSmallSteps => Seed / 5 % 2 == 0;

    /// <summary>Whether half of the commands are streams': in a quarter of the runs.</summary>
    public bool HasStreams => UsesStreams(Seed);

    /// <summary>Whether there are clients, beside those of the plan, that keep what they read until they are told of a
    /// change: in a third of the runs.</summary>
    public bool HasTrackers => Seed / 3 % 3 == 1;

    /// <summary>The keys that clients use, but for the hash whose fields expire.</summary>
    public IReadOnlyList<string> Keys
        => HasStreams ? [.. ScriptGenerator.Keys, .. StreamCommands.Keys] : ScriptGenerator.Keys;

    /// <summary>As what a rewrite writes the base: where there is a tier, half of them are checkpoints.</summary>
    public JournalBaseKind RewritesAs => HasTier && Seed / 24 % 2 == 0 ? JournalBaseKind.Checkpoint
        : Seed / 6 % 2 == 0 ? JournalBaseKind.Commands
        : JournalBaseKind.Rdb;

    /// <summary>The plan of a seed.</summary>
    public static SimulationPlan Of(ulong seed)
    {
        var random = new Random((int)(seed ^ (seed >> 32)));
        var faults = (SimulationFaults)random.Next(128) & (SimulationFaults)random.Next(128);
        var hasTier = random.Next(2) == 0;
        var workers = random.Next(8) == 0 ? 5 + random.Next(4) : 1 + random.Next(4);
        if (!hasTier)
        {
            faults &= ~OfTheDisk;
        }

        var policy = s_policies[random.Next(s_policies.Length)];
        var generator = new ScriptGenerator(random, faults, UsesStreams(seed));
        var clients = Enumerable.Range(0, 2 + random.Next(4)).Select(_ => generator.Next()).ToList();
        return new SimulationPlan(seed, workers, hasTier, policy, faults, clients);
    }

    private static bool UsesStreams(ulong seed) => seed % 40 >= 30;

    /// <inheritdoc/>
    public override string ToString()
    {
        var clients = Clients.Select((client, i) => $"client {i}{(client.IsCutOff ? ", cut off" : "")}:\n"
            + string.Join('\n', client.Batches.Select(batch => $"  {string.Join(" | ", batch)}")));
        return $"{Workers} workers, tier {HasTier}, {Policy}, faults {Faults}\n{string.Join('\n', clients)}";
    }
}
