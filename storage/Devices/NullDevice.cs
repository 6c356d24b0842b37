namespace Strata.Storage.Devices;

/// <summary>
/// A device that keeps everything about what is written except the bytes: segments exist from their first write, have
/// sizes and can be removed, but read as zeros. It costs what no device can avoid, so that measurements can be held
/// against it. Zeros rather than an error, because only a read that succeeds measures the way of a read; they are
/// told from data by the checksum that every record carries.
/// </summary>
public sealed class NullDevice : IDevice
{
    private readonly MemorySegments _segments;

    /// <summary>An empty device.</summary>
    /// <param name="segmentBytes">Bytes of a segment, a power of two, at least 512; <see cref="long.MaxValue"/> for one
    /// segment without bounds.</param>
    /// <exception cref="ArgumentOutOfRangeException">It is something else.</exception>
    public NullDevice(long segmentBytes = long.MaxValue)
    {
        _segments = new MemorySegments(segmentBytes, keepsBytes: false);
    }

    /// <inheritdoc/>
    public int SectorBytes => Limits.MinSectorBytes;

    /// <inheritdoc/>
    public long SegmentBytes => _segments.SegmentBytes;

    /// <inheritdoc/>
    public void Initialize()
    {
        // Nothing is always ready.
    }

    /// <inheritdoc/>
    public long SizeOf(long segment) => _segments.SizeOf(segment);

    /// <inheritdoc/>
    /// <exception cref="ObjectDisposedException">The device is disposed.</exception>
    public IDeviceQueue OpenQueue() => _segments.OpenQueue(latencyUs: 0);

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
