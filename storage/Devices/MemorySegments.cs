using System.Collections.Concurrent;
using Strata.Storage.Interop;

namespace Strata.Storage.Devices;

/// <summary>What a memory or null device consists of: its segments, and the queues that lead to them. Any thread.
/// </summary>
internal sealed class MemorySegments : IDisposable
{
    private readonly ConcurrentDictionary<long, MemorySegment> _segments = new();
    private readonly List<MemoryQueue> _queues = [];
    private readonly Lock _gate = new();
    private readonly bool _keepsBytes;
    private bool _isDisposed;

    /// <summary>No segments yet.</summary>
    /// <param name="segmentBytes">Bytes of a segment, a power of two, or <see cref="long.MaxValue"/>.</param>
    /// <param name="keepsBytes">Whether what is written can be read again.</param>
    /// <exception cref="ArgumentOutOfRangeException">A segment holds no sector, or no whole ones.</exception>
    public MemorySegments(long segmentBytes, bool keepsBytes)
    {
        var isWhole = segmentBytes == long.MaxValue
            || (segmentBytes >= Limits.MinSectorBytes && long.IsPow2(segmentBytes));
        if (!isWhole)
        {
            throw new ArgumentOutOfRangeException(nameof(segmentBytes), segmentBytes,
                $"a segment has a power of two of bytes, at least {Limits.MinSectorBytes}");
        }

        SegmentBytes = segmentBytes;
        _keepsBytes = keepsBytes;
    }

    /// <inheritdoc cref="IDevice.SegmentBytes"/>
    public long SegmentBytes { get; }

    /// <inheritdoc cref="IDevice.SizeOf"/>
    public long SizeOf(long segment) => _segments.TryGetValue(segment, out var found) ? found.SizeBytes : 0;

    /// <summary>Opens a queue whose requests end <paramref name="latencyUs"/> after they are submitted.</summary>
    /// <exception cref="DeviceException">No file descriptors are to be had.</exception>
    public MemoryQueue OpenQueue(int latencyUs)
    {
        lock (_gate)
        {
            ObjectDisposedException.ThrowIf(_isDisposed, this);
            var queue = new MemoryQueue(this, latencyUs);
            _queues.Add(queue);
            return queue;
        }
    }

    /// <summary>Leaves a queue alone from now on: it is being closed by its owner.</summary>
    public void Forget(MemoryQueue queue)
    {
        lock (_gate)
        {
            _queues.Remove(queue);
        }
    }

    /// <summary>Enters a segment, which a write makes first if need be.</summary>
    /// <returns>Null, with the errno, when there is none.</returns>
    public MemorySegment? TryEnter(long number, bool isWrite, out int errno)
    {
        while (true)
        {
            if (_segments.TryGetValue(number, out var segment))
            {
                if (segment.TryEnter())
                {
                    errno = 0;
                    return segment;
                }

                continue; // It was removed since, so that the next look finds another one or none.
            }

            if (!isWrite)
            {
                errno = Errno.NoEntry;
                return null;
            }

            segment = MemorySegment.TryCreate(SegmentBytes, _keepsBytes, out errno);
            if (segment == null)
            {
                return null;
            }

            if (!_segments.TryAdd(number, segment))
            {
                segment.Leave();
            }
        }
    }

    /// <inheritdoc cref="IDevice.RemoveSegment"/>
    public void Remove(long number)
    {
        if (_segments.TryRemove(number, out var segment))
        {
            segment.Leave();
        }
    }

    /// <summary>Ends all requests, then gives the memory back.</summary>
    public void Dispose()
    {
        lock (_gate)
        {
            _isDisposed = true;
            foreach (var queue in _queues)
            {
                queue.Close();
            }

            _queues.Clear();
        }

        foreach (var (number, _) in _segments)
        {
            Remove(number);
        }
    }
}
