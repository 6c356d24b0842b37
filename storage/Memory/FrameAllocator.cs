using System.Numerics;

namespace Strata.Storage.Memory;

/// <summary>
/// Hands out frames (room for one page each, a stripe) and, where the stripes have one owner and so are neighbours,
/// runs of frames; lowest first. Only the part of a frame that is used takes memory and is charged. A returned frame
/// keeps its memory for reuse as long as few are kept; more give theirs back to the system. Single-threaded.
/// </summary>
public sealed unsafe class FrameAllocator
{
    private const long GuardBytes = 4L << 30;

    // A bit each for 16,384 frames: most heaps never make the bitmaps grow while they take writes.
    private const int FirstBitmapWords = 256;

    private readonly Stripes _stripes;
    private readonly MemoryBudget _budget;
    private readonly int _frameBits;
    private readonly int _maxFrames;
    private readonly int _maxHoles;
    private readonly Stack<int> _resident = new(Limits.MaxFreeFramesPerShard);
    private long _residentBytes;
    private ulong[] _used = new ulong[FirstBitmapWords];

    // Frames without memory that the kernel was told not to make part of a huge page.
    private ulong[] _holes = new ulong[FirstBitmapWords];
    private int _holeCount;
    private int _firstFree;

    /// <summary>An allocator over stripes, each of which is a frame.</summary>
    public FrameAllocator(MemoryBudget budget, Stripes stripes)
    {
        _budget = budget;
        _stripes = stripes;
        _frameBits = stripes.Region.StripeBits;
        _maxHoles = Limits.MaxHugePageHoles / stripes.Region.Owners;

        // The end stays free: a torn page length read without the lease must not lead out of the region.
        var guardFrames = GuardBytes >> stripes.Region.StrideBits;
        _maxFrames = (int)Math.Min(stripes.Region.StripesPerOwner - guardFrames, int.MaxValue / 2);
    }

    /// <summary>Bytes of one frame.</summary>
    public int FrameBytes => 1 << _frameBits;

    /// <summary>Frames kept with their memory for reuse; they are charged to the budget.</summary>
    public int ResidentFree => _resident.Count;

    /// <summary>Memory of the frames kept for reuse.</summary>
    public long ResidentFreeBytes => _resident.Count * _residentBytes;

    /// <summary>The first byte of a frame.</summary>
    public byte* Address(int frame) => _stripes.At(frame);

    /// <summary>Takes one frame of which <paramref name="bytes"/> will be used, and charges them.</summary>
    /// <exception cref="MemoryExhaustedException">The reserve is used up.</exception>
    public int Rent(long bytes)
    {
        _budget.Ask(bytes);
        if (_residentBytes != bytes)
        {
            Trim();
        }

        return _resident.TryPop(out var frame) ? frame : Take(bytes, bytes);
    }

    /// <summary>Takes neighbouring frames that hold <paramref name="bytes"/>, and charges those bytes.</summary>
    /// <exception cref="MemoryExhaustedException">The reserve has no such run.</exception>
    public int RentRun(long bytes) => RentRun(bytes, bytes);

    /// <summary>Takes neighbouring frames of which only the first <paramref name="chargedBytes"/> are kept in memory,
    /// and charges those: what is behind them passes through, and is the caller's to charge.</summary>
    /// <inheritdoc cref="RentRun(long)"/>
    public int RentRun(long bytes, long chargedBytes)
    {
        _budget.Ask(chargedBytes);
        return Take(bytes, chargedBytes);
    }

    /// <summary>Gives a frame back that was rented with the same <paramref name="bytes"/>.</summary>
    public void Return(int frame, long bytes)
    {
        if (_resident.Count == 0)
        {
            _residentBytes = bytes;
        }

        if (_residentBytes == bytes && _resident.Count < Limits.MaxFreeFramesPerShard)
        {
            _resident.Push(frame);
            return;
        }

        ReturnRun(frame, bytes);
    }

    /// <summary>Gives the memory of a part of a run back, which is given back by and by.</summary>
    /// <param name="frame">Its first frame.</param>
    /// <param name="offset">Where the part begins.</param>
    /// <param name="bytes">Bytes of the part: whole pages.</param>
    public void ReleaseOfRun(int frame, long offset, long bytes)
    {
        _stripes.Release(frame, offset, bytes);
        _budget.Charge(-bytes);
    }

    /// <summary>Gives a run back.</summary>
    /// <inheritdoc cref="ReturnRun(int, long, long, long)"/>
    public void ReturnRun(int frame, long bytes) => ReturnRun(frame, bytes, bytes, releasedBytes: 0);

    /// <summary>Gives a run back.</summary>
    /// <param name="frame">Its first frame.</param>
    /// <param name="bytes">Bytes that it was rented with.</param>
    /// <param name="chargedBytes">How many of them were charged, the first ones.</param>
    /// <param name="releasedBytes">How many of those were released by now, the first ones.</param>
    public void ReturnRun(int frame, long bytes, long chargedBytes, long releasedBytes)
    {
        var frames = FramesFor(bytes);
        _stripes.Release(frame, releasedBytes, ((long)frames << _frameBits) - releasedBytes);
        if (bytes >= Limits.LeastMovedBytes)
        {
            _stripes.Renew(frame, bytes); // Pages may have been moved to it.
        }

        Mark(frame, frames, used: false);
        MakeHoles(frame, frames);
        _budget.Charge(releasedBytes - chargedBytes);
    }

    /// <summary>Gives the memory of one frame kept for reuse back to the system.</summary>
    /// <returns>False when none is kept.</returns>
    public bool TryTrim()
    {
        if (!_resident.TryPop(out var frame))
        {
            return false;
        }

        ReturnRun(frame, _residentBytes);
        return true;
    }

    /// <summary>Gives the memory of all frames kept for reuse back to the system.</summary>
    public void Trim()
    {
        while (TryTrim())
        {
            // Each is one system call.
        }
    }

    private int Take(long bytes, long chargedBytes)
    {
        var frames = FramesFor(bytes);
        Invariant.Check(frames == 1 || _stripes.Region.Owners == 1, "the frames of a run are neighbours");
        var frame = FindRun(frames);
        Mark(frame, frames, used: true);
        FillHoles(frame, frames);
        _budget.Charge(chargedBytes);
        return frame;
    }

    private int FramesFor(long bytes) => (int)((bytes + FrameBytes - 1) >> _frameBits);

    /// <summary>The kernel joins what is left of a huge page and what was given back to a whole one again after a
    /// while, unless it is told not to. It keeps a list of such places, of limited length.</summary>
    private void MakeHoles(int frame, int frames)
    {
        for (var i = frame; _stripes.Region.UsesHugePages && i < frame + frames && _holeCount < _maxHoles; i++)
        {
            if (_holes.Length <= i >> 6)
            {
                Array.Resize(ref _holes, _used.Length);
            }

            _holes[i >> 6] |= 1UL << (i & 63);
            _holeCount++;
            _stripes.AdviseHugePages(i, uses: false);
        }
    }

    private void FillHoles(int frame, int frames)
    {
        for (var i = frame; _holeCount > 0 && i < frame + frames; i++)
        {
            if (i >> 6 < _holes.Length && (_holes[i >> 6] >> (i & 63) & 1) != 0)
            {
                _holes[i >> 6] &= ~(1UL << (i & 63));
                _holeCount--;
                _stripes.AdviseHugePages(i, uses: true);
            }
        }
    }

    private int FindRun(int frames)
    {
        var run = 0;
        var frame = _firstFree;
        for (; run < frames; frame++)
        {
            if (frame >= _maxFrames)
            {
                throw new MemoryExhaustedException("the log's reserved address space is used up");
            }

            var word = frame >> 6;
            if (word >= _used.Length)
            {
                Array.Resize(ref _used, _used.Length * 2);
            }

            if (run == 0 && _used[word] == ulong.MaxValue)
            {
                frame |= 63; // All 64 are in use: the loop's step goes to the next word.
                continue;
            }

            run = (_used[word] >> (frame & 63) & 1) == 0 ? run + 1 : 0;
        }

        return frame - frames;
    }

    private void Mark(int frame, int frames, bool used)
    {
        for (var i = frame; i < frame + frames; i++)
        {
            if (used)
            {
                _used[i >> 6] |= 1UL << (i & 63);
                _stripes.Take(i);
            }
            else
            {
                _used[i >> 6] &= ~(1UL << (i & 63));
                _stripes.Return(i);
            }
        }

        if (!used)
        {
            _firstFree = Math.Min(_firstFree, frame);
        }
        else if (frame <= _firstFree)
        {
            // The lowest free frame was taken: the next search starts at the first free one of its word, or behind it.
            var free = ~_used[frame >> 6];
            _firstFree = free == 0 ? ((frame >> 6) + 1) << 6 : (frame & ~63) + BitOperations.TrailingZeroCount(free);
        }
    }
}
