namespace Strata.Storage.Devices;

/// <summary>
/// Where log pages go that do not fit into memory: a range of bytes in segments, each of which exists from its first
/// write until it is removed. Read and written in whole sectors, at offsets, into buffers, that are multiples of
/// <see cref="SectorBytes"/>; no request crosses the end of a segment.
/// <para>
/// A device hands each worker a queue of its own (<see cref="OpenQueue"/>), so that nothing is shared. What goes wrong
/// with a request, be it an I/O error, a full disk or a file that cannot be opened, is that request's result. Disposing
/// a device ends its requests in flight within milliseconds; their memory may be freed when Dispose has returned.
/// </para>
/// </summary>
public interface IDevice : IDisposable
{
    /// <summary>Bytes that offsets, lengths and buffer addresses must be multiples of: a power of two, at least 512.
    /// Known after <see cref="Initialize"/>.</summary>
    int SectorBytes { get; }

    /// <summary>Bytes of a segment, a power of two; <see cref="long.MaxValue"/> where the device is one segment without
    /// bounds.</summary>
    long SegmentBytes { get; }

    /// <summary>Makes the device ready: finds out what its file system can do. A second call does nothing.</summary>
    /// <exception cref="DeviceException">The device cannot work; the text names the cause and the remedy.</exception>
    void Initialize();

    /// <summary>Bytes a segment holds, 0 when it does not exist. May be asked before any I/O. Any thread.</summary>
    /// <exception cref="DeviceException">The file system does not tell.</exception>
    long SizeOf(long segment);

    /// <summary>Opens the queue of one worker; call it on that worker's thread, after <see cref="Initialize"/>.
    /// </summary>
    /// <exception cref="DeviceException">The kernel gives no more queues.</exception>
    IDeviceQueue OpenQueue();

    /// <summary>Says that a segment will be written before long: another thread makes it, so that the first write is
    /// under way the sooner. Returns at once; what goes wrong is that write's result. Any thread.</summary>
    void PrepareSegment(long segment);

    /// <summary>Has what was written to a segment lie on the disk when it returns. Waits for the disk; any thread but a
    /// worker's.</summary>
    /// <exception cref="DeviceException">It may not, and no later call can say that it does.</exception>
    void SyncSegment(long segment);

    /// <summary>Gives a segment's bytes back. Returns at once; what cannot be done at once is done by another thread.
    /// Requests in flight end as if it were still there; later reads find nothing. Any thread.</summary>
    void RemoveSegment(long segment);
}
