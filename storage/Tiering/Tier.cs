using System.Runtime.InteropServices;
using Strata.Storage.Devices;
using Strata.Storage.Runtime;

namespace Strata.Storage.Tiering;

/// <summary>
/// The device that takes what does not fit into memory, as all shards and workers share it: its settings, its health,
/// and each worker's way to it. Any thread may read it.
/// </summary>
public sealed class Tier : IDisposable
{
    private readonly TierWorker?[] _workers;
    private readonly List<ShardTier> _shards = [];
    private int _writesInFlight;
    private int _freezes;
    private int _failure;
    private int _lastFailure;
    private long _endings;
    private volatile bool _isDistrusted;
    private volatile ILongHold? _longHold;

    /// <summary>A tier on an initialised device.</summary>
    /// <param name="device">The device, which the tier disposes of.</param>
    /// <param name="segmentBits">Bytes of a segment as a power of two; no more than the device's.</param>
    /// <param name="workers">Number of workers.</param>
    /// <param name="throttleLimit">Most requests that a worker has in flight.</param>
    public Tier(IDevice device, int segmentBits, int workers, int throttleLimit)
    {
        Invariant.Check(device.SegmentBytes == 1L << segmentBits, "the tier's segments are the device's");
        Invariant.Check(device.SectorBytes <= Limits.MaxSectorBytes, "pages begin at sectors");
        Device = device;
        SegmentBits = segmentBits;
        ThrottleLimit = throttleLimit;
        _workers = new TierWorker?[workers];
    }

    public IDevice Device { get; }

    /// <summary>What the device's latencies are measured with.</summary>
    public TimeProvider Clock { get; init; } = Platform.Machine.Clock;

    /// <summary>Bytes of a segment as a power of two.</summary>
    public int SegmentBits { get; }

    /// <summary>Most requests that a worker has in flight.</summary>
    public int ThrottleLimit { get; }

    /// <summary>A segment is compacted when more than this share of it is garbage, percent.</summary>
    public int CompactionGarbagePercent { get; set; } = 50;

    /// <summary>Whether a record that was read again since it left memory goes back there.</summary>
    public bool CopiesReadsToTail { get; set; }

    /// <summary>Whether everything leaves memory as soon as it can, for tests.</summary>
    public bool IsEager { get; set; }

    /// <summary>Each worker's way to the device; null where it was not opened.</summary>
    public IReadOnlyList<TierWorker?> Workers => _workers;

    /// <summary>The errno of the last write if it failed, else 0: while it is not 0, nothing more leaves memory.
    /// </summary>
    public int Failure => Volatile.Read(ref _failure);

    /// <summary>The errno of the last write that failed, also if others have succeeded since; 0 when none failed.
    /// </summary>
    public int LastFailure => Volatile.Read(ref _lastFailure);

    /// <summary>Writes, and what comes before them, that have ended, since the start. Whoever finds nothing under way
    /// learns from it whether something ended while they looked.</summary>
    public long Endings => Volatile.Read(ref _endings);

    /// <summary>Writes of pages that failed.</summary>
    public long FailedWrites { get; private set; }

    /// <summary>Whether something is under way that will let memory go: writes, and what comes before them.</summary>
    public bool IsLettingGo => Volatile.Read(ref _writesInFlight) > 0 || Freezes > 0;

    /// <summary>Large collections that are being packed for the device, or freed after that.</summary>
    internal int Freezes => Volatile.Read(ref _freezes);

    /// <summary>How much of a large collection is packed, or made large again, in one turn of a worker: elements, of
    /// which long ones count for several. Other than <see cref="Limits.CollectionStepEffort"/> only in tests.</summary>
    public int StepEffort { get; set; } = Limits.CollectionStepEffort;

    /// <inheritdoc/>
    /// <remarks>The workers must have ended.</remarks>
    public void Dispose()
    {
        foreach (var worker in _workers)
        {
            worker?.Dispose();
        }

        Device.Dispose();
    }

    /// <summary>Which of its segments outlive the process.</summary>
    public CheckpointHolds Checkpoints { get; } = new();

    /// <summary>Says, on the disk, that its files are data which a journal's base names, before the base is listed;
    /// null where the device does not outlive the process.</summary>
    public Action? MarkKept { get; set; }

    /// <summary>Whether bases of the journal may name segments: not where the device does not outlive the process, nor
    /// after a sync of it has failed.</summary>
    public bool IsDurable => MarkKept != null && !_isDistrusted;

    /// <summary>Bytes of segments without pages that stay on the device because a checkpoint names them. Any thread.
    /// </summary>
    public long HeldBytes
    {
        get
        {
            var bytes = 0L;
            foreach (var shard in _shards)
            {
                bytes += shard.Segments.HeldBytes;
            }

            return bytes;
        }
    }

    /// <summary>Bytes given to pages, over all segments. Any thread.</summary>
    public long UsedBytes
    {
        get
        {
            var bytes = 0L;
            foreach (var shard in _shards)
            {
                bytes += shard.Segments.UsedBytes;
            }

            return bytes;
        }
    }

    /// <summary>Has the segments that the base begun last names lie on the disk when it returns, and says there that
    /// they are data. By the thread that writes the base.</summary>
    /// <exception cref="IOException">They may not: the tier is not trusted with data any more.</exception>
    public void Persist()
    {
        try
        {
            foreach (var segment in Checkpoints.Named())
            {
                Device.SyncSegment(segment);
            }
        }
        catch (DeviceException exception)
        {
            _isDistrusted = true; // The kernel takes for written what it could not write.
            throw new IOException(exception.Message, exception);
        }

        MarkKept!();
        Checkpoints.OnListing();
    }

    /// <summary>The memory of the records that commands have read.</summary>
    internal ColdReadRoom ColdRoom { get; } = new();

    /// <summary>The room for sets that need little: they do not wait for those that need much.</summary>
    internal ColdReadRoom LittleColdRoom { get; } = new();

    /// <summary>The memory of large pages that are read back as a whole.</summary>
    internal PageRoom PageRoom { get; } = new();

    /// <summary>Bytes of records that are read at a time for commands which can be executed one by one. Other than
    /// <see cref="Limits.ColdPartBytes"/> only in tests.</summary>
    public long ColdPartBytes { get; set; } = Limits.ColdPartBytes;

    /// <summary>What the records may hold at a time that all commands have read, bytes; 0, but in tests, for a part of
    /// the memory limit.</summary>
    public long MostColdBytes { get; set; }

    /// <summary>Who holds all leases, and lets tasks make their steps all the same; null while nobody does. Changed by
    /// who holds them.</summary>
    public ILongHold? LongHold
    {
        get => _longHold;
        set => _longHold = value;
    }

    internal TierWorker? Worker(int number) => number < 0 ? null : Volatile.Read(ref _workers[number]);

    /// <summary>The traffic of all shards.</summary>
    internal ReadOnlySpan<ShardTier> Shards => CollectionsMarshal.AsSpan(_shards);

    /// <summary>The traffic of the shard of a number.</summary>
    internal ShardTier Shard(int number) => _shards[number];

    /// <summary>Takes up a shard; those of all numbers in ascending order, before the first of them is used.</summary>
    internal void Register(ShardTier shard)
    {
        Invariant.Check(shard.Store.Number == _shards.Count, "the shards of a tier come in order");
        _shards.Add(shard);
    }

    internal void Register(TierWorker worker) => Volatile.Write(ref _workers[worker.Number], worker);

    internal void OnWriteStarted() => Interlocked.Increment(ref _writesInFlight);

    internal void OnFreezeStarted() => Interlocked.Increment(ref _freezes);

    internal void OnFreezeEnded()
    {
        Interlocked.Increment(ref _endings); // Before it is under way no more: one or the other is always seen.
        Interlocked.Decrement(ref _freezes);
    }

    /// <summary>Notes how a write ended: <paramref name="errno"/> is 0 when it succeeded.</summary>
    internal void OnWriteEnded(int errno)
    {
        if (errno != 0)
        {
            Volatile.Write(ref _lastFailure, errno);
            FailedWrites++; // Racy on purpose: a statistic.
        }

        Volatile.Write(ref _failure, errno);
        Interlocked.Increment(ref _endings); // Before it is under way no more: one or the other is always seen.
        Interlocked.Decrement(ref _writesInFlight);
    }

    /// <summary>Takes it that the device can be written again, until a write says otherwise.</summary>
    internal void ForgetFailure() => Volatile.Write(ref _failure, 0);

    /// <summary>The same if no shard has anything to write by which that would be found out.</summary>
    internal void ForgetFailureOfNothing()
    {
        foreach (var shard in _shards)
        {
            if (!shard.HasNothingToWrite)
            {
                return;
            }
        }

        ForgetFailure();
    }

    /// <summary>Wakes whoever waits for memory.</summary>
    internal void NotifyRoom()
    {
        foreach (var worker in _workers)
        {
            worker?.NotifyRoom();
        }
    }
}
