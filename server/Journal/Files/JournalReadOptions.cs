namespace Strata.Server.Journal.Files;

/// <summary>What is known of a file of the journal that is to be read.</summary>
/// <param name="MayEndTorn">Whether it may: where none follows it, or one that was begun before the disk had all of
/// this (<see cref="JournalFileReader.IsBegunAhead"/>).</param>
/// <param name="IsBase">Whether it is a base: it was whole before it was listed.</param>
/// <param name="LoadsTruncated">Whether a torn end is cut (<c>aof-load-truncated</c>), and does not refuse the start.
/// </param>
/// <param name="StartAt">Where the commands begin, bytes: behind the RDB in it, if there is one.</param>
/// <param name="ExpectedOffset">The journal's offset at the end of the file before it; -1 where none is known.</param>
internal readonly record struct JournalReadOptions(
    bool MayEndTorn, bool IsBase, bool LoadsTruncated, long StartAt = 0, long ExpectedOffset = -1);
