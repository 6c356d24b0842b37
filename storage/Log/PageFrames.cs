using Strata.Storage.Memory;

namespace Strata.Storage.Log;

/// <summary>
/// The memory of a log's pages: frames of one size for ordinary pages, runs of them for the pages of large records.
/// What is retired becomes reusable when no reader can look at it any more.
/// </summary>
internal sealed unsafe class PageFrames : IDisposable
{
    private const int InitialRetired = 64;

    private readonly MemoryBudget _budget;
    private readonly Quiescence _quiescence;
    private readonly StripedRegion _region;
    private readonly FrameAllocator _frames;
    private readonly StripedRegion _runRegion;
    private readonly FrameAllocator _runs;
    private readonly Queue<RetiredFrame> _retired = new(InitialRetired);

    // Of the first that is retired, a run: how much of it was given back by now.
    private long _releasedBytes;

    /// <summary>Frames in <paramref name="stripes"/>, runs in as much address space again.</summary>
    /// <exception cref="MemoryExhaustedException">The address space is not to be had.</exception>
    public PageFrames(MemoryBudget budget, Quiescence quiescence, Stripes stripes)
    {
        var pageBits = stripes.Region.StripeBits;
        _budget = budget;
        _quiescence = quiescence;
        _region = stripes.Region;
        _frames = new FrameAllocator(budget, stripes);
        _runRegion = new StripedRegion(
            stripes.Region.StripesPerOwner << pageBits, owners: 1, pageBits, mayUseHugePages: false);
        _runRegion.UseHugePages(false); // Runs have any length.
        _runs = new FrameAllocator(budget, _runRegion.Of(0));
    }

    /// <summary>Bytes of a frame.</summary>
    public int FrameBytes => _frames.FrameBytes;

    /// <summary>Memory retired and not reusable yet.</summary>
    public long RetiredBytes { get; private set; }

    /// <summary>Memory of frames kept for reuse.</summary>
    public long FreeBytes => _frames.ResidentFreeBytes;

    /// <summary>Whether memory is retired and waits for <see cref="Reclaim"/>.</summary>
    public bool HasRetired => _retired.Count > 0;

    /// <summary>Follows the size of pages with that of the kernel's.</summary>
    public void FitHugePages(int pageBytes) => _region.UseHugePages(pageBytes == FrameBytes);

    /// <summary>Takes a frame, or a run of them, of which <paramref name="bytes"/> will be used.</summary>
    /// <exception cref="MemoryExhaustedException">There is no room in the address space.</exception>
    public int Rent(long bytes, bool isRun) => isRun ? _runs.RentRun(bytes) : _frames.Rent(bytes);

    /// <summary>Takes a run of frames through which a page passes on its way to the device: only its first <paramref
    /// name="keptBytes"/> are kept in memory, and charged here.</summary>
    /// <exception cref="MemoryExhaustedException">There is no room in the address space.</exception>
    public int RentPassage(long bytes, long keptBytes) => _runs.RentRun(bytes, keptBytes);

    /// <summary>The first byte of a frame or run.</summary>
    public byte* Address(int frame, bool isRun) => isRun ? _runs.Address(frame) : _frames.Address(frame);

    /// <summary>Takes the memory of a page out of use.</summary>
    public void Retire(in PageInfo page)
    {
        RetiredBytes += page.FrameBytes;
        _budget.Retire(page.FrameBytes);
        _retired.Enqueue(new RetiredFrame(
            page.Frame, page.FrameBytes, page.PlaceBytes, page.IsJumbo, _quiescence.Retire()));
    }

    /// <summary>Makes retired memory reusable that no worker can still read, <paramref name="maxPages"/> pages at most,
    /// or as many parts of what is long. Called between commands.</summary>
    /// <returns>Whether there is more; what is still read does not count.</returns>
    public bool Reclaim(int worker, int maxPages)
    {
        while (_retired.TryPeek(out var frame) && _quiescence.HasPassed(frame.Stamp, worker))
        {
            if (maxPages-- == 0)
            {
                return true;
            }

            var part = frame.Bytes - _releasedBytes;
            var isLong = frame.IsRun && part > Limits.ReleasedAtOnceBytes;
            part = isLong ? Limits.ReleasedAtOnceBytes : part;
            RetiredBytes -= part;
            _budget.Retire(-part);
            if (isLong)
            {
                _runs.ReleaseOfRun(frame.Frame, _releasedBytes, part);
                _releasedBytes += part;
                continue;
            }

            _ = _retired.Dequeue();
            if (frame.IsRun)
            {
                _runs.ReturnRun(frame.Frame, frame.PlaceBytes, frame.Bytes, _releasedBytes);
                _releasedBytes = 0;
            }
            else
            {
                _frames.Return(frame.Frame, frame.Bytes);
            }
        }

        return false;
    }

    /// <summary>Gives the memory of all frames kept for reuse back to the system.</summary>
    public void Trim() => _frames.Trim();

    /// <summary>Gives the memory of one frame kept for reuse back to the system.</summary>
    /// <returns>False when none is kept.</returns>
    public bool TryTrim() => _frames.TryTrim();

    /// <inheritdoc/>
    public void Dispose()
    {
        _budget.Charge(-(RetiredBytes + FreeBytes));
        _budget.Retire(-RetiredBytes);
        _runRegion.Dispose();
    }

    private readonly record struct RetiredFrame(int Frame, long Bytes, long PlaceBytes, bool IsRun, long Stamp);
}
