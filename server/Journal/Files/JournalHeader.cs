namespace Strata.Server.Journal.Files;

/// <summary>What the first line of a file of ours says.</summary>
/// <param name="Salt">What all checksums in it begin from: a piece of another file does not pass, and nobody can send a
/// value that looks like one of our lines.</param>
/// <param name="Offset">The journal's offset where the file begins, or <see cref="Follows"/>.</param>
internal readonly record struct JournalHeader(ulong Salt, long Offset)
{
    /// <summary>In the place of an offset: the file was made before that was known. It begins where the one before it
    /// ends, which may have been on the disk only after what is in this one.</summary>
    public const long Follows = -1;
}
