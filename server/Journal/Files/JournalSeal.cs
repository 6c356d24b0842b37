namespace Strata.Server.Journal.Files;

/// <summary>What the line behind a batch says.</summary>
/// <param name="Checksum">Of the batch, and of what follows here.</param>
/// <param name="Offset">The journal's offset at the end of the batch: bytes of commands since it began.</param>
/// <param name="Bytes">Bytes of the batch in the file; 0 for a mark, which stands alone.</param>
/// <param name="Synced">The journal's offset up to which all was on the disk when the line was written.</param>
internal readonly record struct JournalSeal(uint Checksum, long Offset, long Bytes, long Synced)
{
    /// <summary>Whether it stands alone, and says how far all is on the disk.</summary>
    public bool IsMark => Bytes == 0;
}
