namespace Strata.Storage.Devices;

/// <summary>
/// A device in memory: its segments are native memory that the kernel provides page by page as they are written, never
/// the garbage collector's. For tests, for measuring the log without a disk, and, with a latency, for simulating one.
/// A read of a segment that was never written ends with ENOENT; one of a hole in a segment gives zeros, as from a file.
/// </summary>
public sealed class MemoryDevice : IDevice
{
    private readonly MemorySegments _segments;
    private readonly int _latencyUs;

    /// <summary>An empty device.</summary>
    /// <param name="segmentBytes">Bytes of a segment, a power of two, at least 512; <see cref="long.MaxValue"/> for one
    /// segment without bounds (4 TiB of address space).</param>
    /// <param name="latencyUs">Microseconds, up to a minute, that a request takes at least, from its submit to its
    /// completion; requests do not wait for one another.</param>
    /// <exception cref="ArgumentOutOfRangeException">Either is out of its range.</exception>
    public MemoryDevice(long segmentBytes = long.MaxValue, int latencyUs = 0)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(latencyUs);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(latencyUs, Limits.MaxSimulatedLatencyUs);
        _segments = new MemorySegments(segmentBytes, keepsBytes: true);
        _latencyUs = latencyUs;
    }

    /// <inheritdoc/>
    public int SectorBytes => Limits.MinSectorBytes;

    /// <inheritdoc/>
    public long SegmentBytes => _segments.SegmentBytes;

    /// <inheritdoc/>
    public void Initialize()
    {
        // Memory is always ready.
    }

    /// <inheritdoc/>
    public long SizeOf(long segment) => _segments.SizeOf(segment);

    /// <inheritdoc/>
    /// <exception cref="ObjectDisposedException">The device is disposed.</exception>
    public IDeviceQueue OpenQueue() => _segments.OpenQueue(_latencyUs);

    /// <inheritdoc/>
    public void PrepareSegment(long segment)
    {
        // There is nothing to make.
    }

    /// <inheritdoc/>
    public void SyncSegment(long segment)
    {
        // It is as safe as it will be.
    }

    /// <inheritdoc/>
    public void RemoveSegment(long segment) => _segments.Remove(segment);

    /// <inheritdoc/>
    public void Dispose() => _segments.Dispose();
}
