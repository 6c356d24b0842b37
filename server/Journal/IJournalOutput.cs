namespace Strata.Server.Journal;

/// <summary>Where the journal's bytes go.</summary>
internal unsafe interface IJournalOutput
{
    /// <summary>Takes bytes, all of them, however long that takes.</summary>
    /// <exception cref="JournalAbandonedException">The server ends, and they cannot be written.</exception>
    void Write(byte* bytes, long length);

    /// <summary>What was taken since the last time stands by itself.</summary>
    /// <exception cref="JournalAbandonedException">The server ends, and its end cannot be written.</exception>
    void EndBatch();
}
