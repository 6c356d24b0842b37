namespace Strata.Server.Runtime;

/// <summary>
/// How far what was changed has come on its way to the disk, by the numbers of the journal's batches. Any thread.
/// </summary>
public sealed class Durability
{
    private long _sequence;
    private long _written;
    private long _durable;
    private long _released;
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

    /// <summary>The last batch that nobody waits for any more: the disk has it or, where it is not brought there before
    /// it is answered, the kernel.</summary>
    public long Released => Volatile.Read(ref _released);

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

    /// <summary>The last batch that somebody waits for, or has waited for.</summary>
    public long LastAwaited => Volatile.Read(ref _lastAwaited);

    /// <summary>Somebody waits for a batch, and is called when it is released.</summary>
    internal void NoteAwaited(long sequence) => Raise(ref _lastAwaited, sequence);

    /// <summary>Nobody is to wait for a batch any more, nor for one before it: who does is to be called.</summary>
    internal void Release(long sequence) => Raise(ref _released, sequence);

    /// <summary>The number of a new batch.</summary>
    /// <param name="isShared">Whether other threads draw, too.</param>
    internal long Next(bool isShared) => isShared ? Interlocked.Increment(ref _sequence) : ++_sequence;

    private static void Raise(ref long target, long value)
    {
        var before = Volatile.Read(ref target);
        while (before < value)
        {
            var found = Interlocked.CompareExchange(ref target, value, before);
            if (found == before)
            {
                return;
            }

            before = found;
        }
    }
}
