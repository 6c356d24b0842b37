using Strata.Server.Rdb;

namespace Strata.Server.Persistence;

/// <summary>The file that a snapshot goes to. Used by the thread that writes the snapshot, which may wait for it.
/// </summary>
internal interface ISnapshotFile : IRdbSink
{
    /// <summary>Writes over bytes that were written.</summary>
    /// <exception cref="IOException">They could not be written, or not all.</exception>
    void WriteOver(long offset, ReadOnlySpan<byte> bytes);

    /// <summary>What was written since the last time can be read without what follows.</summary>
    /// <exception cref="IOException">It could not be written.</exception>
    void EndPart();

    /// <summary>All is written: it is to be kept, in the place of what was there before, whatever happens from here on.
    /// </summary>
    /// <exception cref="IOException">It could not be; what was there before is as it was.</exception>
    void Commit();

    /// <summary>It came to nothing: no trace of it is to be left.</summary>
    /// <exception cref="IOException">Some is.</exception>
    /// <exception cref="UnauthorizedAccessException">Some is.</exception>
    void Discard();
}
