namespace Strata.Server.Journal.Files;

/// <summary>How a file of the journal ends, after it was read.</summary>
/// <param name="SizeBytes">How long it is, without what is to be cut.</param>
/// <param name="CutBytes">How much behind that was not written whole, and is to be cut.</param>
/// <param name="Offset">The journal's offset at the end.</param>
/// <param name="CanResume">Whether more can be appended to it; otherwise it is another server's, and what follows goes
/// to a new file.</param>
/// <param name="Salt">What its checksums begin from, if it can be resumed.</param>
internal readonly record struct JournalEnd(long SizeBytes, long CutBytes, long Offset, bool CanResume, ulong Salt)
{
    /// <summary>How much filler there is behind its end (<see cref="JournalFiller"/>), which is to be cut, too.
    /// </summary>
    public long FillerBytes { get; init; }

    /// <summary>Whether there is anything to cut.</summary>
    public bool HasMore => CutBytes > 0 || FillerBytes > 0;
}
