namespace Strata.Server.Journal.Files;

/// <summary>
/// An open file of the journal. One owner at a time; every call may block for as long as the disk takes. While another
/// thread is in <see cref="Sync"/>, one at a time, the owner may go on: what it writes then may be on the disk after,
/// or not.
/// What was written may be lost, in parts and in any order, when the power goes before <see cref="Sync"/> has answered
/// without an error. After one with an error it may be lost though a later one has none: the kernel then takes for
/// written what it could not write (Rebello et al., Can Applications Recover from fsync Failures?, ATC 2020).
/// </summary>
internal unsafe interface IJournalFile : IDisposable
{
    /// <summary>Where it lies, for messages.</summary>
    string Path { get; }

    /// <summary>How many bytes it has.</summary>
    JournalError GetLength(out long bytes);

    /// <summary>Reads from a place of the file.</summary>
    /// <param name="offset">The place.</param>
    /// <param name="target">Where to.</param>
    /// <param name="bytes">How many.</param>
    /// <param name="read">How many were read: fewer only at the end of the file, or after an error.</param>
    JournalError Read(long offset, byte* target, int bytes, out int read);

    /// <summary>Writes to a place of the file.</summary>
    /// <param name="offset">The place; at most the file's length.</param>
    /// <param name="bytes">What.</param>
    /// <param name="length">How many bytes.</param>
    /// <param name="written">How many were written: fewer only with an error.</param>
    JournalError Write(long offset, byte* bytes, long length, out long written);

    /// <summary>Has all that was written lie on the disk when it returns without an error, and the file's length.
    /// </summary>
    JournalError Sync();

    /// <summary>Cuts the file to a length.</summary>
    JournalError Truncate(long bytes);
}
