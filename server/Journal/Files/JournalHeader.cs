namespace Strata.Server.Journal.Files;

/// <summary>What the first line of a file of ours says.</summary>
/// <param name="Salt">What all checksums in it begin from: a piece of another file does not pass, and nobody can send a
/// value that looks like one of our lines.</param>
/// <param name="Offset">The journal's offset where the file begins.</param>
internal readonly record struct JournalHeader(ulong Salt, long Offset);
