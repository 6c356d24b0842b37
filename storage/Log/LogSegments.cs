using Strata.Storage.Memory;

namespace Strata.Storage.Log;

/// <summary>
/// Where on the device a shard's pages lie: gives out space in segments, knows how much of each is garbage, and hands
/// back those that hold no page. An offset counts in the shard's own space, segment by segment; <see
/// cref="DeviceOffset"/> says where that is: the n-th segment of shard i is the device's (n × shards + i)-th.
/// Changed under the shard's lease; <see cref="Of"/> may be called without.
/// </summary>
internal sealed class LogSegments
{
    private readonly int _shard;
    private readonly int _shards;
    private readonly int _bits;
    private readonly Quiescence _quiescence;
    // The one removed longest ago is used first: its file has been deleted by then.
    private readonly Queue<LogSegment> _free = new();
    private readonly Queue<LogSegment> _retired = new();
    // Those that nobody reads any more, and that a checkpoint names.
    private readonly List<LogSegment> _held = [];
    private LogSegment?[] _segments = new LogSegment?[16];
    private LogSegment? _open;
    private LogSegment? _next;
    private int _top;

    public LogSegments(int shard, int shards, int segmentBits, Quiescence quiescence)
    {
        _shard = shard;
        _shards = shards;
        _bits = segmentBits;
        _quiescence = quiescence;
    }

    /// <summary>Bytes of a segment.</summary>
    public long SegmentBytes => 1L << _bits;

    /// <summary>Segments that hold pages.</summary>
    public int Count { get; private set; }

    /// <summary>Bytes given to pages, over all segments.</summary>
    public long UsedBytes { get; private set; }

    /// <summary>Bytes of live records, over all segments.</summary>
    public long LiveBytes { get; private set; }

    /// <summary>Bytes of the segments without pages that stay on the device because a checkpoint names them.</summary>
    public long HeldBytes { get; private set; }

    /// <summary>Whether segments without pages wait to be handed back.</summary>
    public bool HasRetired => _retired.Count > 0;

    /// <summary>The segment an offset lies in; null, from a reader without the lease, when there is none any more.
    /// </summary>
    public LogSegment? Of(long offset)
    {
        var segments = Volatile.Read(ref _segments);
        var number = (int)(offset >> _bits);
        return number < segments.Length ? segments[number] : null;
    }

    /// <summary>A worker has found something in use that it is about to read: it is not removed before the worker says
    /// that it reads no more. Under the lease, or in a read without it.</summary>
    public void BeginReads(int worker) => _quiescence.BeginReads(worker);

    /// <summary>Where on the device an offset is.</summary>
    public long DeviceOffset(long offset)
        => ((((offset >> _bits) * _shards) + _shard) << _bits) | (offset & (SegmentBytes - 1));

    /// <summary>Names the segment that will be opened next, once, when there is none that is open or that is half full:
    /// so that it can be made ready on the device.</summary>
    /// <param name="deviceNumber">Its number on the device.</param>
    /// <returns>False when it is named already, or not needed soon.</returns>
    public bool TryNameNext(out long deviceNumber)
    {
        deviceNumber = 0;
        if (_next != null || (_open != null && _open.UsedBytes < SegmentBytes / 2))
        {
            return false;
        }

        _next = TakeNumbers(span: 1);
        deviceNumber = DeviceNumber(_next, 0);
        return true;
    }

    /// <summary>Gives space to a page: <paramref name="bytes"/> in one segment, or, when it is larger than a segment,
    /// in neighbouring ones of its own.</summary>
    /// <returns>Its offset.</returns>
    public long Allocate(PageInfo[] pages, int page, long bytes)
    {
        var segment = bytes > SegmentBytes ? Open((int)((bytes + SegmentBytes - 1) >> _bits)) : OpenFor(bytes);
        var offset = ((long)segment.Number << _bits) + segment.UsedBytes;
        segment.UsedBytes += bytes;
        segment.LiveBytes += pages[page].LiveBytes;
        segment.Add(pages, page);
        segment.IsOpen &= segment.Span == 1;
        UsedBytes += bytes;
        LiveBytes += pages[page].LiveBytes;
        return offset;
    }

    /// <summary>Counts live bytes that a page at <paramref name="offset"/> gained or lost.</summary>
    public void AddLive(long offset, long bytes)
    {
        Of(offset)!.LiveBytes += bytes;
        LiveBytes += bytes;
    }

    /// <summary>Takes back a page's space, none of whose records is live there any more.</summary>
    public void Release(PageInfo[] pages, int page, long offset)
    {
        var segment = Of(offset)!;
        segment.LiveBytes -= pages[page].LiveBytes;
        LiveBytes -= pages[page].LiveBytes;
        segment.Remove(pages, page);
        if (segment.PageCount == 0)
        {
            Retire(segment);
        }
    }

    /// <summary>The closed segment with the largest share of garbage, of those that have more than <paramref
    /// name="percent"/>; or null.</summary>
    public LogSegment? Worst(int percent)
    {
        LogSegment? worst = null;
        foreach (var segment in _segments.AsSpan(0, Math.Min(_top, _segments.Length)))
        {
            if (segment is { IsOpen: false, IsUnreadable: false }
                && segment.GarbageBytes * 100 > segment.UsedBytes * percent
                && (worst == null
                    || (double)segment.GarbageBytes / segment.UsedBytes > (double)worst.GarbageBytes / worst.UsedBytes))
            {
                worst = segment;
            }
        }

        return worst;
    }

    /// <summary>Takes a segment that no page is in, and that nobody can read any more, to be removed from the device.
    /// </summary>
    /// <returns>False when there is none.</returns>
    public bool TryTakeRetired(int worker, out LogSegment segment)
    {
        while (_retired.TryPeek(out segment!) && _quiescence.HasPassed(segment.RetiredStamp, worker)
            && !segment.HasReaders)
        {
            _ = _retired.Dequeue();
            if (segment.Holds == 0)
            {
                return true;
            }

            _held.Add(segment); // The others need not wait for it.
        }

        return false;
    }

    /// <summary>One who has held a segment (<see cref="LogSegment.Holds"/>) needs it no more.</summary>
    public void EndHold(LogSegment segment)
    {
        segment.Holds--;
        if (segment.Holds == 0 && segment.IsRetired)
        {
            HeldBytes -= segment.UsedBytes;
            if (_held.Remove(segment))
            {
                _retired.Enqueue(segment);
            }
        }
    }

    /// <summary>Whether a page may lie at an offset.</summary>
    public bool CanHold(long offset, long usedBytes)
    {
        var bytes = PageImage.DeviceBytesFor(usedBytes);
        var start = offset & (SegmentBytes - 1);
        return offset >= 0 && offset % Limits.MaxSectorBytes == 0 && bytes > 0 && bytes <= Limits.LargestKeptPageBytes
            && (bytes > SegmentBytes ? start == 0 : start + bytes <= SegmentBytes)
            && (offset + bytes - 1) >> _bits < Limits.MaxSegmentsPerShard
            && Of(offset) is not { Span: > 1 } && (bytes <= SegmentBytes || AreFree(offset >> _bits, SpanOf(bytes)));
    }

    /// <summary>Puts a page back where it lies; nothing is added to its segment any more.</summary>
    public void Restore(PageInfo[] pages, int page, long offset, long bytes)
    {
        var number = (int)(offset >> _bits);
        var segment = Of(offset);
        if (segment == null)
        {
            segment = new LogSegment(number, SpanOf(bytes)) { IsOpen = false };
            _top = Math.Max(_top, number + segment.Span);
            EnsureRoom();
            Array.Fill(_segments, segment, number, segment.Span);
            Count++;
        }

        var end = (offset - ((long)number << _bits)) + bytes;
        UsedBytes += Math.Max(0, end - segment.UsedBytes);
        segment.UsedBytes = Math.Max(end, segment.UsedBytes);
        segment.LiveBytes += pages[page].LiveBytes;
        LiveBytes += pages[page].LiveBytes;
        segment.Add(pages, page);
    }

    /// <summary>All pages that were kept are back: the numbers between their segments are free.</summary>
    public void EndRestore()
    {
        for (var number = 0; number < _top; number++)
        {
            if (_segments[number] == null)
            {
                _free.Enqueue(new LogSegment(number, span: 1));
            }
        }
    }

    /// <summary>All segments that hold pages.</summary>
    public IEnumerable<LogSegment> InUse()
    {
        for (var number = 0; number < Math.Min(_top, _segments.Length); number++)
        {
            if (_segments[number] is { } segment && segment.Number == number)
            {
                yield return segment;
            }
        }
    }

    /// <summary>The number on the device of the <paramref name="index"/>-th segment that <paramref name="segment"/>
    /// takes.</summary>
    public long DeviceNumber(LogSegment segment, int index) => ((segment.Number + (long)index) * _shards) + _shard;

    /// <summary>Numbers of a segment that was removed from the device may be used again.</summary>
    public void Recycle(LogSegment segment)
    {
        if (segment.Span == 1)
        {
            segment.Reset();
            _free.Enqueue(segment);
            return;
        }

        for (var i = 0; i < segment.Span; i++)
        {
            _free.Enqueue(new LogSegment(segment.Number + i, span: 1));
        }
    }

    private LogSegment OpenFor(long bytes)
    {
        if (_open != null && _open.UsedBytes + bytes <= SegmentBytes)
        {
            return _open;
        }

        var previous = _open;
        _open = Open(span: 1);
        if (previous != null)
        {
            previous.IsOpen = false;
        }

        return _open;
    }

    private LogSegment Open(int span)
    {
        var segment = span == 1 && _next != null ? _next : TakeNumbers(span);
        _next = segment == _next ? null : _next;
        EnsureRoom();

        for (var i = 0; i < span; i++)
        {
            _segments[segment.Number + i] = segment;
        }

        Count++;
        return segment;
    }

    private void EnsureRoom()
    {
        if (_top > _segments.Length)
        {
            var larger = new LogSegment?[Math.Max(_top, _segments.Length * 2)];
            _segments.CopyTo(larger, 0);
            Volatile.Write(ref _segments, larger);
        }
    }

    private int SpanOf(long bytes) => (int)Math.Max(1, (bytes + SegmentBytes - 1) >> _bits);

    private bool AreFree(long number, int span)
    {
        for (var i = number; i < number + span; i++)
        {
            if (i < _segments.Length && _segments[i] != null)
            {
                return false;
            }
        }

        return true;
    }

    private LogSegment TakeNumbers(int span)
    {
        if (span == 1 && _free.TryDequeue(out var free))
        {
            return free;
        }

        _top += span;
        return new LogSegment(_top - span, span);
    }

    private void Retire(LogSegment segment)
    {
        if (segment == _open)
        {
            _open = null;
        }

        for (var i = 0; i < segment.Span; i++)
        {
            _segments[segment.Number + i] = null;
        }

        Count--;
        UsedBytes -= segment.UsedBytes;
        segment.IsRetired = true;
        HeldBytes += segment.Holds > 0 ? segment.UsedBytes : 0;
        segment.RetiredStamp = _quiescence.Retire();
        _retired.Enqueue(segment);
    }
}
