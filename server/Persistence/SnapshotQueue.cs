using Strata.Server.Rdb;
using Strata.Storage.Memory;

namespace Strata.Server.Persistence;

/// <summary>
/// What shards have given for a snapshot and is not written yet, in blocks. Most hold whole keys and may be written in
/// any order. A value that a shard gives in steps is a stream, one at a time, whose blocks follow each other in the
/// file: once the first is written, nothing else is before the last. Either kind may take half of the bound, so that
/// none keeps the other from going on. Any thread.
/// </summary>
internal sealed class SnapshotQueue
{
    private readonly object _lock = new();
    private readonly MemoryBudget _budget;
    private readonly long _mostBytes;
    private readonly Queue<SnapshotBlock> _blocks = new();
    private readonly Queue<SnapshotBlock> _stream = new();
    private readonly Stack<RdbOutput> _idle = new();
    private object? _streamer;
    private bool _isStreamBegun;
    private bool _isStreamWhole;
    private bool _isClosed;
    private long _bytes;
    private long _streamBytes;

    /// <summary>An empty queue.</summary>
    /// <param name="budget">What blocks are charged to.</param>
    /// <param name="mostBytes">How much may wait, bytes, before the walk does.</param>
    public SnapshotQueue(MemoryBudget budget, long mostBytes)
    {
        _budget = budget;
        _mostBytes = mostBytes;
    }

    /// <summary>The most that has waited at a time, bytes.</summary>
    public long PeakBytes { get; private set; }

    /// <summary>Whether so much waits that who changes keys should, too: more than the walk alone lets wait.</summary>
    public bool HoldsBack => Volatile.Read(ref _bytes) > _mostBytes / 4 * 3;

    /// <summary>Whether so much waits that a shard's walk does.</summary>
    /// <param name="shard">The shard's place in the snapshot.</param>
    public bool IsFullFor(object shard)
        => Volatile.Read(ref _streamer) == shard
            ? Volatile.Read(ref _streamBytes) > _mostBytes / 2
            : Volatile.Read(ref _bytes) > _mostBytes / 2;

    /// <summary>An empty block.</summary>
    public RdbOutput Rent()
    {
        lock (_lock)
        {
            return _idle.TryPop(out var output) ? output : new RdbOutput(_budget);
        }
    }

    /// <summary>A block of whole keys.</summary>
    public void Add(in SnapshotBlock block)
    {
        lock (_lock)
        {
            _blocks.Enqueue(block);
            _bytes += block.Output.Length;
            OnAdded();
        }
    }

    /// <summary>Begins a stream, unless another shard is at one.</summary>
    public bool TryOpenStream(object shard)
    {
        lock (_lock)
        {
            if (_streamer != null)
            {
                return false;
            }

            _streamer = shard;
            return true;
        }
    }

    /// <summary>The next block of the stream.</summary>
    /// <param name="block">The block.</param>
    /// <param name="isLast">Whether the value ends with it.</param>
    public void AddToStream(in SnapshotBlock block, bool isLast)
    {
        lock (_lock)
        {
            _stream.Enqueue(block);
            _streamBytes += block.Output.Length;
            _isStreamWhole = isLast;
            OnAdded();
        }
    }

    /// <summary>Nothing follows.</summary>
    public void Close()
    {
        lock (_lock)
        {
            _isClosed = true;
            Monitor.Pulse(_lock);
        }
    }

    /// <summary>Takes the next block to be written.</summary>
    /// <param name="block">The block.</param>
    /// <param name="waits">Whether to wait for one.</param>
    /// <param name="isEmpty">Whether there is none at the moment, but one may follow.</param>
    /// <returns>False where there is none.</returns>
    public bool TryTake(out SnapshotBlock block, bool waits, out bool isEmpty)
    {
        lock (_lock)
        {
            while (!TryTake(out block))
            {
                isEmpty = !_isClosed;
                if (_isClosed || !waits)
                {
                    return false;
                }

                Monitor.Wait(_lock);
            }

            isEmpty = false;
            return true;
        }
    }

    /// <summary>A block was written.</summary>
    public void Return(RdbOutput output)
    {
        output.Clear();
        lock (_lock)
        {
            if (output.ChargedBytes <= 2 * ServerLimits.SnapshotBlockBytes
                && _idle.Count < ServerLimits.MaxFreeSnapshotBlocks)
            {
                _idle.Push(output);
                return;
            }
        }

        output.Dispose();
    }

    /// <summary>Gives back all memory; nobody uses it any more.</summary>
    public void Free()
    {
        foreach (var block in _blocks.Concat(_stream))
        {
            block.Output.Dispose();
        }

        foreach (var output in _idle)
        {
            output.Dispose();
        }

        _blocks.Clear();
        _stream.Clear();
        _idle.Clear();
    }

    private bool TryTake(out SnapshotBlock block)
    {
        if (_stream.TryDequeue(out block))
        {
            _isStreamBegun = true;
            _streamBytes -= block.Output.Length;
            if (_stream.Count == 0 && _isStreamWhole)
            {
                _streamer = null;
                _isStreamBegun = false;
                _isStreamWhole = false;
            }

            return true;
        }

        if (!_isStreamBegun && _blocks.TryDequeue(out block))
        {
            _bytes -= block.Output.Length;
            return true;
        }

        return false;
    }

    private void OnAdded()
    {
        PeakBytes = Math.Max(PeakBytes, _bytes + _streamBytes);
        Monitor.Pulse(_lock);
    }
}
