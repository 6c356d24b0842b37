namespace Strata.Storage.Devices.Files;

/// <summary>The segments that the writes of one queue wait for, while threads of the pool make them: a disk may take
/// its time to make a file, to enlarge or to delete one. Its members are the owner's of the queue, except where they
/// say otherwise.</summary>
/// <param name="files">The segments.</param>
/// <param name="onReady">Called when one is ready, or cannot be had; on any thread, and not after <see cref="Close"/>.
/// </param>
internal sealed class AwaitedSegments(SegmentFiles files, Action onReady)
{
    private readonly List<long> _underWay = [];

    // Guards what follows.
    private readonly object _gate = new();
    private readonly Queue<(long Segment, int Errno)> _ended = new();
    private bool _isClosed;

    /// <summary>Whether any is waited for.</summary>
    public bool AreAny => _underWay.Count > 0;

    /// <summary>Whether one is ready, or cannot be had, that was not taken yet.</summary>
    public bool HasEnded
    {
        get
        {
            if (!AreAny)
            {
                return false;
            }

            lock (_gate)
            {
                return _ended.Count > 0;
            }
        }
    }

    /// <summary>Has a segment made ready, unless that is under way.</summary>
    /// <param name="segment">Its number.</param>
    /// <param name="writtenEnd">Up to where it is to be written, bytes.</param>
    public void Add(long segment, long writtenEnd)
    {
        if (!_underWay.Contains(segment))
        {
            _underWay.Add(segment);
            ThreadPool.UnsafeQueueUserWorkItem(static work => work.Self.Make(work.Segment, work.WrittenEnd),
                (Self: this, Segment: segment, WrittenEnd: writtenEnd), preferLocal: false);
        }
    }

    /// <summary>Takes a segment that is waited for no more.</summary>
    /// <param name="segment">Its number.</param>
    /// <param name="errno">Why it cannot be written; 0 if it can.</param>
    public bool TryTake(out long segment, out int errno)
    {
        lock (_gate)
        {
            if (!_ended.TryDequeue(out var ended))
            {
                (segment, errno) = (0, 0);
                return false;
            }

            (segment, errno) = ended;
        }

        _underWay.Remove(segment);
        return true;
    }

    /// <summary>Waits until there is one to take.</summary>
    public void Await()
    {
        lock (_gate)
        {
            while (_ended.Count == 0)
            {
                Monitor.Wait(_gate);
            }
        }
    }

    /// <summary>Nobody waits any more. Any thread.</summary>
    public void Close()
    {
        lock (_gate)
        {
            _isClosed = true;
        }
    }

    private void Make(long segment, long writtenEnd)
    {
        var errno = files.MakeReady(segment, writtenEnd);
        lock (_gate)
        {
            _ended.Enqueue((segment, errno));
            Monitor.PulseAll(_gate);
            if (!_isClosed)
            {
                onReady();
            }
        }
    }
}
