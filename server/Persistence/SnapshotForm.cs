using Strata.Server.Scripting.Functions;

namespace Strata.Server.Persistence;

/// <summary>How the file of a snapshot is written: what stands around its keys. Belongs to the thread that writes it.
/// </summary>
internal abstract class SnapshotForm : IDisposable
{
    /// <summary>Bytes written by now.</summary>
    public abstract long Length { get; }

    /// <summary>What writes keys, for one at a time.</summary>
    public abstract IEntryWriter NewEntries();

    /// <summary>Begins the file.</summary>
    /// <param name="file">Where it goes.</param>
    /// <param name="libraries">The functions that belong to the snapshot.</param>
    /// <exception cref="IOException">It could not be written.</exception>
    public abstract void Begin(ISnapshotFile file, LibrarySet libraries);

    /// <summary>What follows belongs to another database.</summary>
    /// <param name="database">Its number.</param>
    /// <param name="keys">How many keys it has.</param>
    /// <param name="expiring">How many of them expire.</param>
    /// <exception cref="IOException">It could not be written.</exception>
    public abstract void Select(int database, long keys, long expiring);

    /// <summary>Keys, or a part of one.</summary>
    /// <exception cref="IOException">They could not be written.</exception>
    public abstract void Append(in SnapshotBlock block);

    /// <summary>Ends the file.</summary>
    /// <param name="version">The version of the RDB format that the keys need.</param>
    /// <exception cref="IOException">It could not be written.</exception>
    public abstract void End(int version);

    /// <inheritdoc/>
    public abstract void Dispose();
}
