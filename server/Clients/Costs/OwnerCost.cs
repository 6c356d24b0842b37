namespace Strata.Server.Clients.Costs;

/// <summary>What all clients of an owner have had a worker do, those that have gone as well. The worker's thread
/// writes, any may read.</summary>
/// <param name="owner">Who they are.</param>
internal sealed class OwnerCost(CostOwner owner)
{
    private long _commands;
    private long _ticks;
    private long _bytesIn;
    private long _bytesOut;

    /// <summary>Who they are.</summary>
    public CostOwner Owner => owner;

    /// <summary>How many there are now.</summary>
    public int Connections { get; set; }

    /// <summary>Commands that were executed.</summary>
    public long Commands => Volatile.Read(ref _commands);

    /// <summary>How long they took, in ticks of <see cref="System.Diagnostics.Stopwatch"/>.</summary>
    public long Ticks => Volatile.Read(ref _ticks);

    /// <summary>Bytes that were received.</summary>
    public long BytesIn => Volatile.Read(ref _bytesIn);

    /// <summary>Bytes that were sent.</summary>
    public long BytesOut => Volatile.Read(ref _bytesOut);

    /// <summary>Whether it was shed: its clients are others' by now.</summary>
    public bool IsShed { get; set; }

    /// <summary>Adds to it.</summary>
    public void Add(long commands, long ticks, long bytesIn, long bytesOut)
    {
        Volatile.Write(ref _commands, _commands + commands);
        Volatile.Write(ref _ticks, _ticks + ticks);
        Volatile.Write(ref _bytesIn, _bytesIn + bytesIn);
        Volatile.Write(ref _bytesOut, _bytesOut + bytesOut);
    }
}
