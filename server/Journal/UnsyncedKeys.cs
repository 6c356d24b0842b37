using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Strata.Storage.Memory;
using Strata.Storage.Sharding;

namespace Strata.Server.Journal;

/// <summary>
/// Which keys have changes that the disk may not have yet: a table of the last batches by the keys' hashes, in which
/// keys share places, so that one may be waited for that need not be. A key's place is written under the lease of its
/// shard, before that is given back; it is read by any thread that has read the key.
/// </summary>
internal sealed unsafe class UnsyncedKeys : IDisposable
{
    private readonly ShardMap _shards;
    private readonly long* _sequences;
    private MemoryCharge _charge;
    private long _all;

    /// <summary>A table without entries.</summary>
    public UnsyncedKeys(ShardMap shards)
    {
        _shards = shards;
        var bytes = (long)shards.Count * ServerLimits.UnsyncedPlacesPerShard * sizeof(long);
        _sequences = (long*)NativeMemory.AllocZeroed((nuint)bytes);
        _charge = new MemoryCharge(shards.Budget);
        _charge.Set(bytes);
    }

    /// <summary>The last batch that any key with this hash may be in.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public long SequenceOf(ulong hash) => Math.Max(Volatile.Read(ref *PlaceOf(hash)), Volatile.Read(ref _all));

    /// <summary>A key with this hash is in a batch.</summary>
    public void Mark(ulong hash, long sequence) => Volatile.Write(ref *PlaceOf(hash), sequence);

    /// <summary>All keys may be in a batch; all leases of those that are, are held.</summary>
    public void MarkAll(long sequence)
    {
        var before = Volatile.Read(ref _all);
        while (before < sequence)
        {
            before = Interlocked.CompareExchange(ref _all, sequence, before);
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        NativeMemory.Free(_sequences);
        _charge.Set(0);
    }

    private long* PlaceOf(ulong hash)
        => _sequences + ((long)_shards.NumberOf(hash) * ServerLimits.UnsyncedPlacesPerShard)
            + (long)(hash & (ServerLimits.UnsyncedPlacesPerShard - 1));
}
