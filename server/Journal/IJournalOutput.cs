namespace Strata.Server.Journal;

/// <summary>Where the journal's bytes go.</summary>
internal unsafe interface IJournalOutput
{
    /// <summary>Takes bytes, all of them, however long that takes.</summary>
    void Write(byte* bytes, long length);

    /// <summary>What was taken since the last time stands by itself.</summary>
    void EndBatch();
}
