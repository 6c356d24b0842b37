namespace Strata.Storage.Memory;

/// <summary>
/// What the server holds against <c>maxmemory</c>: index, log and connection buffers. Charged in coarse steps (a page,
/// a slab), so that one shared counter costs nothing per command.
/// </summary>
public sealed class MemoryBudget
{
    private long _usedBytes;
    private long _peakBytes;
    private long _limitBytes;

    /// <summary>Bytes charged now.</summary>
    public long UsedBytes => Volatile.Read(ref _usedBytes);

    /// <summary>The most that was ever charged, bytes.</summary>
    public long PeakBytes => Math.Max(Volatile.Read(ref _peakBytes), UsedBytes);

    /// <summary>The limit in bytes; 0 is none.</summary>
    public long LimitBytes
    {
        get => Volatile.Read(ref _limitBytes);
        set => Volatile.Write(ref _limitBytes, value);
    }

    /// <summary>Whether more is held than the limit allows.</summary>
    public bool IsOver
    {
        get
        {
            var limit = LimitBytes;
            return limit != 0 && UsedBytes > limit;
        }
    }

    /// <summary>Whether <paramref name="bytes"/> more would go over the limit.</summary>
    public bool WouldExceed(long bytes)
    {
        var limit = LimitBytes;
        return limit != 0 && UsedBytes + bytes > limit;
    }

    /// <summary>Adds (or with a negative number takes off) bytes.</summary>
    public void Charge(long bytes)
    {
        var used = Interlocked.Add(ref _usedBytes, bytes);
        if (used > Volatile.Read(ref _peakBytes))
        {
            Volatile.Write(ref _peakBytes, used);
        }
    }

    /// <summary>Forgets the peak (CONFIG RESETSTAT).</summary>
    public void ResetPeak() => Volatile.Write(ref _peakBytes, UsedBytes);
}
