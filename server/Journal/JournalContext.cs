using Strata.Server.Journal.Files;
using Strata.Server.Lifecycle;
using Strata.Server.Options;
using Strata.Server.Runtime;
using Strata.Storage.Devices;

namespace Strata.Server.Journal;

/// <summary>What the writing of the journal has to do with.</summary>
internal sealed class JournalContext
{
    /// <summary>What it is told.</summary>
    public required EffectJournal Journal { get; init; }

    /// <summary>Where it says how far it has come.</summary>
    public required Durability Durability { get; init; }

    /// <summary>The files, which others may use, too: who has locked them.</summary>
    public required JournalFiles Files { get; init; }

    /// <summary>Where it says what failed.</summary>
    public required ServerLog Log { get; init; }

    /// <summary>Waits for the disk.</summary>
    public required IBackgroundWork Work { get; init; }

    /// <summary>Where it counts how long the disk takes for a sync.</summary>
    public RequestLatency SyncLatency { get; init; } = new();

    /// <summary>Tells when a second is over.</summary>
    public required TimeProvider Clock { get; init; }

    /// <summary>Gives the configuration in force.</summary>
    public required Func<ServerOptions> Options { get; init; }

    /// <summary>Whether data is being saved, or the files rewritten.</summary>
    public required Func<bool> IsSnapshotUnderWay { get; init; }

    /// <summary>Lets some time pass before something is tried again; false when the server ends.</summary>
    public required Func<bool> Await { get; init; }
}
