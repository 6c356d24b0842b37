using Strata.Storage;

namespace Strata.Server.Runtime;

/// <summary>
/// How little <c>maxmemory</c> may be: with less, no shard could keep a key while it writes another, and commands would
/// be refused, or keys evicted as soon as they are set, without a word of the cause. Any thread.
/// </summary>
/// <param name="startupBytes">What is held before there are data.</param>
/// <param name="shards">The number of shards.</param>
internal sealed class LeastMemory(long startupBytes, int shards)
{
    private volatile bool _isDemanded = true;

    /// <summary>The least, bytes.</summary>
    public long Bytes => startupBytes + ((long)shards * ServerLimits.LeastPagesPerShard * Limits.MinPageBytes);

    /// <summary>Whether less is refused; not in tests that are to lack memory.</summary>
    public bool IsDemanded
    {
        get => _isDemanded;
        set => _isDemanded = value;
    }

    /// <summary>Why a limit is refused, and what to do; null when it is not.</summary>
    /// <param name="maxMemoryBytes">The limit, bytes; 0 for none.</param>
    public string? RefusalOf(long maxMemoryBytes)
        => maxMemoryBytes == 0 || maxMemoryBytes >= Bytes || !IsDemanded
            ? null
            : $"{maxMemoryBytes} bytes are too few to work with: {shards} shards need at least {Bytes}. Give more, or "
                + "start with fewer 'shards'";
}
