using Strata.Storage.Devices.Files;

namespace Strata.Storage.Devices;

/// <summary>
/// Files read and written by managed code alone (System.IO.RandomAccess) on the thread pool, through the page cache:
/// for machines on which neither io_uring nor libaio can run. Each request occupies a thread of the pool while it
/// lasts.
/// </summary>
public sealed class RandomAccessDevice : FileDevice
{
    /// <summary>A device that opens nothing yet.</summary>
    /// <exception cref="ArgumentException">The settings are outside their bounds.</exception>
    public RandomAccessDevice(DeviceSettings settings)
        : base(settings, ManagedFileSystem.Instance)
    {
        // The pool starts with as many threads as there are cores and adds one every half second: a disk that serves
        // many requests at once would hardly be used.
        ThreadPool.GetMinThreads(out var threads, out var ports);
        ThreadPool.SetMinThreads(Math.Max(threads, Limits.ManagedDeviceThreads), ports);
    }

    private protected override FileQueue CreateQueue(SegmentFiles files)
        => new RandomAccessQueue(this, files, Settings.QueueDepth);
}
