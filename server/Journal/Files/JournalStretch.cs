namespace Strata.Server.Journal.Files;

/// <summary>Commands of the journal as they lie in memory, until the next ones are read. It begins where a command
/// begins, or where the stretch before has ended.</summary>
/// <param name="bytes">The first byte of RESP.</param>
/// <param name="length">How many bytes.</param>
/// <param name="fileOffset">Where they lie in the file.</param>
/// <param name="endsCommand">Whether a command ends with it for sure.</param>
internal readonly unsafe struct JournalStretch(byte* bytes, int length, long fileOffset, bool endsCommand)
{
    /// <summary>The first byte of RESP.</summary>
    public byte* Bytes { get; } = bytes;

    /// <summary>How many bytes.</summary>
    public int Length { get; } = length;

    /// <summary>Where they lie in the file.</summary>
    public long FileOffset { get; } = fileOffset;

    /// <summary>Whether a command ends with it for sure.</summary>
    public bool EndsCommand { get; } = endsCommand;
}
