using Strata.Storage.Devices.Files;
using Strata.Storage.Devices.Native;

namespace Strata.Storage.Devices;

/// <summary>
/// A device whose segments are files. What its kinds share: the files, and that disposing the device ends the queues of
/// all threads, after which their requests have the result -ECANCELED.
/// </summary>
public abstract class FileDevice : IDevice
{
    private readonly SegmentFiles _files;
    private readonly Lock _gate = new();
    private readonly List<FileQueue> _queues = [];
    private bool _isDisposed;

    private protected FileDevice(DeviceSettings settings, IFileSystem fileSystem)
    {
        CheckDepth(settings.QueueDepth);
        Settings = settings;
        _files = new SegmentFiles(settings, fileSystem);
    }

    /// <inheritdoc/>
    public int SectorBytes => _files.SectorBytes;

    /// <inheritdoc/>
    public long SegmentBytes => _files.SegmentBytes;

    /// <summary>Whether files are read and written past the page cache (O_DIRECT), which not every file system allows.
    /// Known after <see cref="Initialize"/>; for the log.</summary>
    public bool IsDirect => _files.IsDirect;

    private protected DeviceSettings Settings { get; }

    /// <summary>Makes a device by the backend that is asked for, or, for <see cref="DeviceBackend.Auto"/>, by the first
    /// that runs here. Nothing is opened yet.</summary>
    /// <param name="settings">Where the files are, and how they are read and written.</param>
    /// <param name="chosen">For the log: which backend was taken, and why not those before it.</param>
    /// <exception cref="DeviceException">The backend asked for cannot run here; the text names the cause and the
    /// remedy.</exception>
    /// <exception cref="ArgumentException">The settings are outside their bounds.</exception>
    public static FileDevice Open(DeviceSettings settings, out string chosen)
    {
        CheckDepth(settings.QueueDepth); // A queue of this depth is what the kernel is asked for.
        var choice = BackendChoice.Make(settings.Backend, settings.QueueDepth, NativeProbe.Instance);
        chosen = choice.Reason;
        var resolved = settings with { Backend = choice.Backend };
        return choice.Backend == DeviceBackend.Managed ? new RandomAccessDevice(resolved) : new NativeDevice(resolved);
    }

    /// <inheritdoc/>
    public void Initialize() => _files.Initialize();

    /// <inheritdoc/>
    public long SizeOf(long segment) => _files.SizeOf(segment);

    /// <inheritdoc/>
    /// <exception cref="ObjectDisposedException">The device is disposed.</exception>
    public IDeviceQueue OpenQueue()
    {
        Invariant.Check(SectorBytes != 0, "a device is initialized before a queue is opened");
        lock (_gate)
        {
            ObjectDisposedException.ThrowIf(_isDisposed, this);
            var queue = CreateQueue(_files);
            _queues.Add(queue);
            return queue;
        }
    }

    /// <inheritdoc/>
    public void PrepareSegment(long segment) => _files.Prepare(segment);

    /// <inheritdoc/>
    public void SyncSegment(long segment) => _files.Sync(segment);

    /// <inheritdoc/>
    public void RemoveSegment(long segment) => _files.Remove(segment);

    /// <inheritdoc/>
    public void Dispose()
    {
        lock (_gate)
        {
            if (!_isDisposed)
            {
                _isDisposed = true;
                foreach (var queue in _queues)
                {
                    queue.Close();
                }

                _queues.Clear();
                _files.Dispose();
            }
        }

        GC.SuppressFinalize(this);
    }

    private protected abstract FileQueue CreateQueue(SegmentFiles files);

    private static void CheckDepth(int queueDepth)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(queueDepth, 1);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(queueDepth, Limits.MaxQueueDepth);
    }

    /// <summary>Ends a queue that its own thread disposes.</summary>
    internal void CloseQueue(FileQueue queue)
    {
        lock (_gate)
        {
            queue.Close();
            _queues.Remove(queue);
        }
    }
}
