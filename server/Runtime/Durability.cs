namespace Strata.Server.Runtime;

/// <summary>
/// How far what was changed has come on its way to the disk, by the numbers of the journal's batches. Any thread.
/// </summary>
public sealed class Durability
{
    private long _sequence;
    private long _written;
    private long _durable;
    private volatile bool _isAwaited;
    private bool _isToBeAwaited;
    private volatile bool _isRefused;
    private long _lastUnsharded;
    private long _lastAwaited;

    /// <summary>Whether nothing is answered before the disk has it (<c>appendfsync always</c>).</summary>
    public bool IsAwaited
    {
        get => _isAwaited;
        internal set => _isAwaited = value;
    }

    /// <summary>Whether that is about to be so, as soon as all leases can be had.</summary>
    public bool IsToBeAwaited
    {
        get => Volatile.Read(ref _isToBeAwaited);
        internal set => Volatile.Write(ref _isToBeAwaited, value);
    }

    /// <summary>The number of the newest batch.</summary>
    public long Last => Volatile.Read(ref _sequence);

    /// <summary>The last batch that was written.</summary>
    public long Written
    {
        get => Volatile.Read(ref _written);
        internal set => Volatile.Write(ref _written, value);
    }

    /// <summary>The last batch that the disk has.</summary>
    public long Durable
    {
        get => Volatile.Read(ref _durable);
        internal set => Volatile.Write(ref _durable, value);
    }

    /// <summary>The last batch that has something to do with no shard.</summary>
    public long LastUnsharded
    {
        get => Volatile.Read(ref _lastUnsharded);
        internal set => Volatile.Write(ref _lastUnsharded, value);
    }

    /// <summary>Whether the disk takes nothing now.</summary>
    public bool IsRefused
    {
        get => _isRefused;
        internal set => _isRefused = value;
    }

    /// <summary>The last batch that somebody waits for, where nothing is waited for any more.</summary>
    public long LastAwaited => Volatile.Read(ref _lastAwaited);

    /// <summary>From here on what is answered need not be on the disk before.</summary>
    internal void EndAwaiting()
    {
        if (_isAwaited)
        {
            _isAwaited = false;
            Volatile.Write(ref _lastAwaited, Last);
        }
    }

    /// <summary>The number of a new batch.</summary>
    /// <param name="isShared">Whether other threads draw, too.</param>
    internal long Next(bool isShared) => isShared ? Interlocked.Increment(ref _sequence) : ++_sequence;
}
