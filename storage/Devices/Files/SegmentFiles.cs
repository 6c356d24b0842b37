using System.Collections.Concurrent;
using System.Diagnostics.CodeAnalysis;
using System.Globalization;
using Strata.Storage.Interop;

namespace Strata.Storage.Devices.Files;

/// <summary>
/// A device's segments as files: opened at the first request, made larger as they are written, closed when nobody uses
/// them any more. Entering an open one takes no lock. Removing one returns at once: another thread deletes and closes
/// it, since giving a large file's blocks back takes the file system a while; from then on reads find nothing, and who
/// makes it ready to be written waits for the deletion, so that no write lands in the old file. Any thread.
/// </summary>
internal sealed class SegmentFiles : IDisposable
{
    private readonly DeviceSettings _settings;
    private readonly IFileSystem _fileSystem;
    private readonly string _directory;
    private readonly string _path;
    private readonly ConcurrentDictionary<long, SegmentFile> _open = new();

    // Guards what follows.
    private readonly object _gate = new();

    // Segments that another thread is to make ready.
    private readonly HashSet<long> _expected = [];

    // Segments that a thread is about to open.
    private readonly HashSet<long> _opening = [];

    // Segments whose files are to be deleted; true while a thread is at it.
    private readonly Dictionary<long, bool> _removed = [];
    private bool _isDisposed;

    /// <summary>Segments of which nothing is known yet.</summary>
    /// <exception cref="ArgumentException">The settings are outside their bounds.</exception>
    public SegmentFiles(DeviceSettings settings, IFileSystem fileSystem)
    {
        ArgumentException.ThrowIfNullOrEmpty(settings.Path);
        var isWhole = settings.SegmentBytes == long.MaxValue
            || (settings.SegmentBytes >= Limits.MinSectorBytes && long.IsPow2(settings.SegmentBytes));
        if (!isWhole)
        {
            throw new ArgumentOutOfRangeException(nameof(settings), settings.SegmentBytes,
                $"a segment has a power of two of bytes, at least {Limits.MinSectorBytes}");
        }

        _settings = settings;
        _fileSystem = fileSystem;
        _path = Path.GetFullPath(settings.Path);
        _directory = Path.GetDirectoryName(_path)
            ?? throw new ArgumentException("the base file's path names a folder", nameof(settings));
    }

    /// <inheritdoc cref="IDevice.SectorBytes"/>
    public int SectorBytes { get; private set; }

    /// <inheritdoc cref="IFileSystem.IsDirect"/>
    public bool IsDirect => _fileSystem.IsDirect;

    /// <inheritdoc cref="IDevice.SegmentBytes"/>
    public long SegmentBytes => _settings.SegmentBytes;

    private bool IsBounded => SegmentBytes != long.MaxValue;

    private long GrowthBytes => Math.Min(Limits.SegmentGrowthBytes, SegmentBytes);

    /// <summary>Makes the directory and probes it. A second call does nothing.</summary>
    /// <exception cref="DeviceException">It cannot be made, or no file can be made in it.</exception>
    public void Initialize()
    {
        lock (_gate)
        {
            ObjectDisposedException.ThrowIf(_isDisposed, this);
            if (SectorBytes != 0)
            {
                return;
            }

            try
            {
                Directory.CreateDirectory(_directory);
            }
            catch (Exception exception) when (FileErrors.IsFileError(exception))
            {
                throw new DeviceException($"cannot make the folder '{_directory}': {exception.Message}; "
                    + "name one that this user may write to");
            }

            var sectorBytes = _fileSystem.ProbeSector(_directory);
            if (sectorBytes > SegmentBytes)
            {
                throw new DeviceException($"the disk's sectors of {sectorBytes} bytes are larger than a segment of "
                    + $"{SegmentBytes}: choose larger segments");
            }

            SectorBytes = sectorBytes;
        }
    }

    /// <inheritdoc cref="IDevice.SizeOf"/>
    public long SizeOf(long segment)
    {
        if (!IsSegment(segment))
        {
            return 0;
        }

        lock (_gate)
        {
            if (_removed.ContainsKey(segment))
            {
                return 0;
            }
        }

        try
        {
            return new FileInfo(PathOf(segment)).Length;
        }
        catch (Exception exception) when (FileErrors.IsFileError(exception))
        {
            if (FileErrors.ToErrno(exception) == Errno.NoEntry)
            {
                return 0;
            }

            throw new DeviceException($"cannot tell the size of '{PathOf(segment)}': {exception.Message}");
        }
    }

    /// <summary>Enters a segment to read it; it is opened if need be.</summary>
    /// <param name="segment">Its number.</param>
    /// <param name="file">The segment.</param>
    /// <returns>0, or the errno; ENOENT for a segment that does not exist.</returns>
    public int TryEnterToRead(long segment, out SegmentFile? file)
        => _open.TryGetValue(segment, out file) && file.TryEnter() ? 0 : TryOpen(segment, writtenEnd: 0, out file);

    /// <summary>Enters a segment to write it, if that is ready. Waits for nothing.</summary>
    /// <param name="segment">Its number.</param>
    /// <param name="writtenEnd">Up to where it is to be written, bytes.</param>
    /// <param name="file">The segment.</param>
    /// <returns>False when it must be made ready.</returns>
    public bool TryEnterToWrite(long segment, long writtenEnd, [NotNullWhen(true)] out SegmentFile? file)
    {
        if (!_open.TryGetValue(segment, out file) || !file.TryEnter())
        {
            file = null;
            return false;
        }

        if (IsBounded && writtenEnd > file.ReservedBytes)
        {
            file.Leave();
            file = null;
            return false;
        }

        if (IsBounded)
        {
            GrowAheadOf(file, writtenEnd);
        }

        return true;
    }

    /// <summary>Makes a segment ready to be written: opens it, makes it, or makes it larger. Waits for the disk.
    /// </summary>
    /// <param name="segment">Its number.</param>
    /// <param name="writtenEnd">Up to where it is to be written, bytes.</param>
    /// <returns>0, or the errno.</returns>
    public int MakeReady(long segment, long writtenEnd)
    {
        if (!_open.TryGetValue(segment, out var file) || !file.TryEnter())
        {
            var errno = TryOpen(segment, writtenEnd, out file);
            if (errno != 0)
            {
                return errno;
            }
        }

        var grown = IsBounded && writtenEnd > file!.ReservedBytes ? Grow(file, ReserveFor(writtenEnd)) : 0;
        file!.Leave();
        return grown;
    }

    /// <inheritdoc cref="IDevice.PrepareSegment"/>
    public void Prepare(long segment)
    {
        lock (_gate)
        {
            if (!IsSegment(segment) || !_expected.Add(segment))
            {
                return;
            }
        }

        ThreadPool.UnsafeQueueUserWorkItem(static work => work.Self.PrepareNow(work.Segment),
            (Self: this, Segment: segment), preferLocal: false);
    }

    private void PrepareNow(long segment)
    {
        lock (_gate)
        {
            var errno = FinishRemoval(segment);
            var isExpected = _expected.Remove(segment); // Otherwise it was removed before there was time for it.
            if (errno != 0 || !isExpected || _isDisposed || _open.ContainsKey(segment) || !_opening.Add(segment))
            {
                return;
            }
        }

        // What could not be had is asked for again, and its errno told, by the write that needs it.
        if (Open(segment, writtenEnd: 1, out var file) == 0)
        {
            file!.Leave();
        }
    }

    private int TryOpen(long segment, long writtenEnd, out SegmentFile? file)
    {
        var isWrite = writtenEnd > 0;
        lock (_gate)
        {
            while (true)
            {
                var errno = isWrite ? FinishRemoval(segment) : _removed.ContainsKey(segment) ? Errno.NoEntry : 0;
                errno = _isDisposed ? Errno.Canceled : errno;
                file = null;
                if (errno != 0)
                {
                    return errno;
                }

                if (_open.TryGetValue(segment, out file))
                {
                    // Only Remove, under the lock, takes the device's own use of a file back.
                    Invariant.Check(file.TryEnter(), "a file in the table is open");
                    return 0;
                }

                if (_opening.Add(segment))
                {
                    break;
                }

                Monitor.Wait(_gate); // Another thread opens it.
            }
        }

        return Open(segment, writtenEnd, out file);
    }

    /// <summary>Opens a segment, which this thread has said that it does. Without the lock: a disk may take its time,
    /// and others open other segments.</summary>
    private int Open(long segment, long writtenEnd, out SegmentFile? file)
    {
        file = null;
        var errno = Errno.InputOutput;
        try
        {
            var reserved = IsBounded ? ReserveFor(writtenEnd) : 0;
            errno = _fileSystem.TryOpen(PathOf(segment), writtenEnd > 0, reserved, out var handle);
            file = errno == 0 ? new SegmentFile(this, segment, handle!, reserved) : null;
            _ = file?.TryEnter(); // Nobody else knows it yet.
        }
        finally
        {
            lock (_gate)
            {
                _opening.Remove(segment);
                Monitor.PulseAll(_gate);
                if (file != null && !_removed.ContainsKey(segment))
                {
                    _open[segment] = file;
                }
                else
                {
                    file?.Leave(); // It was removed meanwhile: the requests to it end as if it were still there.
                }
            }
        }

        return errno;
    }

    /// <summary>Has an entered file made larger on another thread when writes come near its end, so that later ones
    /// find it so.</summary>
    private void GrowAheadOf(SegmentFile file, long writtenEnd)
    {
        var reserved = file.ReservedBytes;
        if (writtenEnd > reserved - (GrowthBytes / 2) && reserved < SegmentBytes && file.TryBeginGrowth()
            && file.TryEnter()) // It is: the caller has.
        {
            ThreadPool.UnsafeQueueUserWorkItem(static work => work.Self.GrowAhead(work.File),
                (Self: this, File: file), preferLocal: false);
        }
    }

    private void GrowAhead(SegmentFile file)
    {
        // What could not be had is asked for again, and its errno told, by the write that needs it.
        _ = Grow(file, ReserveFor(file.ReservedBytes + 1));
        file.EndGrowth();
        file.Leave();
    }

    private int Grow(SegmentFile file, long bytes)
    {
        lock (file)
        {
            if (bytes <= file.ReservedBytes)
            {
                return 0;
            }

            var errno = _fileSystem.TryGrow(PathOf(file.Segment), file.Handle, bytes);
            if (errno is not (0 or Errno.NoEntry))
            {
                return errno;
            }

            file.ReservedBytes = bytes; // A removed one may be written, too, by whom it was removed under.
            return 0;
        }
    }

    /// <summary>How large a file is made that is written up to an end: a few steps for each segment.</summary>
    private long ReserveFor(long writtenEnd)
        => Math.Min((writtenEnd + GrowthBytes - 1) / GrowthBytes * GrowthBytes, SegmentBytes);

    /// <inheritdoc cref="IDevice.SyncSegment"/>
    public void Sync(long segment)
    {
        try
        {
            // By another handle: what is synced are the file's bytes, whoever wrote them.
            const FileShare Shared = FileShare.ReadWrite | FileShare.Delete;
            using var handle = File.OpenHandle(PathOf(segment), FileMode.Open, FileAccess.ReadWrite, Shared);
            RandomAccess.FlushToDisk(handle);
        }
        catch (Exception exception) when (FileErrors.IsFileError(exception))
        {
            throw new DeviceException($"cannot sync '{PathOf(segment)}': {exception.Message}");
        }
    }

    /// <inheritdoc cref="IDevice.RemoveSegment"/>
    public void Remove(long segment)
    {
        SegmentFile? file;
        lock (_gate)
        {
            _expected.Remove(segment);
            if (!IsSegment(segment) || _isDisposed || !_removed.TryAdd(segment, false))
            {
                return;
            }

            _open.TryRemove(segment, out file);
        }

        ThreadPool.UnsafeQueueUserWorkItem(static work => work.Self.RemoveLater(work.Segment, work.File),
            (Self: this, Segment: segment, File: file), preferLocal: false);
    }

    /// <summary>Closes a file that nobody uses any more, on another thread: it may be the last name of its blocks.
    /// </summary>
    public void CloseUnused(SegmentFile file)
    {
        if (Volatile.Read(ref _isDisposed))
        {
            Close(file);
            return;
        }

        ThreadPool.UnsafeQueueUserWorkItem(static work => work.Self.Close(work.File), (Self: this, File: file),
            preferLocal: false);
    }

    /// <summary>Deletes what was removed and closes all files. No request is in flight any more.</summary>
    public void Dispose()
    {
        lock (_gate)
        {
            if (_isDisposed)
            {
                return;
            }

            Volatile.Write(ref _isDisposed, true);
            while (_opening.Count > 0)
            {
                Monitor.Wait(_gate);
            }

            foreach (var segment in _removed.Keys.ToArray())
            {
                _ = FinishRemoval(segment); // A failure is told by OnFault.
            }
        }

        foreach (var segment in _open.Keys)
        {
            if (_open.TryRemove(segment, out var file))
            {
                file.Leave();
            }
        }
    }

    // Whatever the number, an unbounded device has one file.
    private bool IsSegment(long segment) => segment == 0 || (IsBounded && segment > 0);

    private string PathOf(long segment)
        => IsBounded ? _path + "." + segment.ToString(CultureInfo.InvariantCulture) : _path;

    private void RemoveLater(long segment, SegmentFile? file)
    {
        lock (_gate)
        {
            _ = FinishRemoval(segment); // A failure is told by OnFault.
        }

        file?.Leave();
    }

    /// <summary>Deletes a removed segment's file unless another thread has; waits while one does, or opens it. The lock
    /// is held on entry and on return, not in between.</summary>
    /// <returns>0, or the errno of a deletion that failed; the next write tries again.</returns>
    private int FinishRemoval(long segment)
    {
        while (_removed.TryGetValue(segment, out var isBeingDeleted) && (isBeingDeleted || _opening.Contains(segment)))
        {
            Monitor.Wait(_gate);
        }

        if (!_removed.ContainsKey(segment))
        {
            return 0;
        }

        _removed[segment] = true;
        var errno = Errno.InputOutput;
        Monitor.Exit(_gate);
        try
        {
            errno = Delete(PathOf(segment));
        }
        finally
        {
            Monitor.Enter(_gate);
        }

        if (errno == 0)
        {
            _removed.Remove(segment);
        }
        else
        {
            _removed[segment] = false;
        }

        Monitor.PulseAll(_gate);
        return errno;
    }

    private int Delete(string path)
    {
        try
        {
            File.Delete(path);
            return 0;
        }
        catch (DirectoryNotFoundException)
        {
            return 0;
        }
        catch (Exception exception) when (FileErrors.IsFileError(exception))
        {
            _settings.OnFault?.Invoke(new DeviceException(
                $"cannot delete '{path}', whose space stays taken: {exception.Message}"));
            return FileErrors.ToErrno(exception);
        }
    }

    private void Close(SegmentFile file)
    {
        var errno = _fileSystem.Close(file.Handle);
        if (errno != 0)
        {
            _settings.OnFault?.Invoke(new DeviceException($"closing a file beside '{_path}' failed (errno {errno})"));
        }
    }
}
