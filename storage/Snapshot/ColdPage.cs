using Strata.Storage.Log;

namespace Strata.Storage.Snapshot;

/// <summary>A page on the device some of whose records belong to a snapshot, until it has been read for it. Its segment
/// stays on the device as long.</summary>
/// <param name="image">Where it is.</param>
/// <param name="segment">Its segment.</param>
/// <param name="isLate">Whether it left memory after the snapshot's moment.</param>
internal sealed class ColdPage(PageImage image, LogSegment segment, bool isLate)
{
    private List<long>? _noted;

    /// <summary>Where it is.</summary>
    public PageImage Image { get; } = image;

    /// <summary>Its segment.</summary>
    public LogSegment Segment { get; } = segment;

    /// <summary>Whether it left memory after the snapshot's moment: then its records are wanted that are noted, which
    /// were not saved by then. Of the others all are wanted that the index points to, and those noted, which it does no
    /// more.</summary>
    public bool IsLate { get; } = isLate;

    /// <summary>Whether any of its records were noted.</summary>
    public bool HasNoted => _noted != null;

    /// <summary>Notes a record by its address.</summary>
    public void Note(ulong address) => (_noted ??= []).Add((long)address);

    /// <summary>Puts what was noted in order, before it is looked up.</summary>
    public void Sort() => _noted?.Sort();

    /// <summary>Whether a record was noted; after <see cref="Sort"/>.</summary>
    public bool IsNoted(ulong address) => _noted != null && _noted.BinarySearch((long)address) >= 0;
}
