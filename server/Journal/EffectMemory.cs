using Strata.Storage.Memory;

namespace Strata.Server.Journal;

/// <summary>
/// Memory of effects on their way to the journal, in chunks. Those that were read are kept for the next effects, up to
/// <see cref="ServerLimits.FreeEffectChunks"/>. All of it is charged, and comes from the pool of buffers: the C
/// library's heap would keep what one thread takes and another gives back. Any thread; nobody waits.
/// </summary>
/// <param name="budget">What it is charged to.</param>
internal sealed unsafe class EffectMemory(MemoryBudget budget) : IDisposable
{
    // The chunks that are free, each taken or given by one exchange. The last that was given lies about here.
    private readonly nint[] _free = new nint[ServerLimits.FreeEffectChunks];
    private int _newest;
    private long _usedBytes;

    /// <summary>Bytes of chunks that are in use.</summary>
    public long UsedBytes => Volatile.Read(ref _usedBytes);

    /// <summary>A chunk, whose head says no more than its capacity; null when there is no memory.</summary>
    /// <param name="least">Bytes that it must hold.</param>
    public EffectChunk* TryTake(int least)
    {
        var bytes = Math.Max((long)least + sizeof(EffectChunk), ServerLimits.EffectChunkBytes);
        var chunk = bytes == ServerLimits.EffectChunkBytes ? TakeFree() : null;
        if (chunk == null)
        {
            chunk = TryAllocate(bytes);
        }

        if (chunk != null)
        {
            _ = Interlocked.Add(ref _usedBytes, SizeOf(chunk));
        }

        return chunk;
    }

    /// <summary>Gives a chunk back.</summary>
    public void Give(EffectChunk* chunk)
    {
        _ = Interlocked.Add(ref _usedBytes, -SizeOf(chunk));
        if (SizeOf(chunk) != ServerLimits.EffectChunkBytes || !TryKeep(chunk))
        {
            Free(chunk);
        }
    }

    /// <summary>Frees one chunk that nobody uses: there was nothing to write for a while.</summary>
    public void Trim()
    {
        var chunk = TakeFree();
        if (chunk != null)
        {
            Free(chunk);
        }
    }

    /// <summary>Frees those that nobody uses.</summary>
    public void Dispose()
    {
        for (var chunk = TakeFree(); chunk != null; chunk = TakeFree())
        {
            Free(chunk);
        }
    }

    private static long SizeOf(EffectChunk* chunk) => chunk->Block.Bytes;

    /// <summary>The one that was given last, about: it is the likeliest to lie in a cache.</summary>
    private EffectChunk* TakeFree()
    {
        var place = Volatile.Read(ref _newest);
        for (var i = 0; i < _free.Length; i++, place = place == 0 ? _free.Length - 1 : place - 1)
        {
            if (Volatile.Read(ref _free[place]) != 0
                && Interlocked.Exchange(ref _free[place], 0) is var chunk and not 0)
            {
                Volatile.Write(ref _newest, place);
                return (EffectChunk*)chunk;
            }
        }

        return null;
    }

    private bool TryKeep(EffectChunk* chunk)
    {
        var place = Volatile.Read(ref _newest);
        for (var i = 0; i < _free.Length; i++, place = place == _free.Length - 1 ? 0 : place + 1)
        {
            if (Volatile.Read(ref _free[place]) == 0
                && Interlocked.CompareExchange(ref _free[place], (nint)chunk, 0) == 0)
            {
                Volatile.Write(ref _newest, place);
                return true;
            }
        }

        return false;
    }

    private EffectChunk* TryAllocate(long bytes)
    {
        NativeBlock block;
        try
        {
            block = budget.Buffers.Allocate(bytes, fits: true);
        }
        catch (OutOfMemoryException)
        {
            return null;
        }

        var chunk = (EffectChunk*)block.Start;
        chunk->Block = block;
        chunk->Capacity = (int)Math.Min(block.Bytes - sizeof(EffectChunk), int.MaxValue);
        budget.Charge(block.Bytes);
        return chunk;
    }

    private void Free(EffectChunk* chunk)
    {
        var block = chunk->Block;
        budget.Charge(-block.Bytes);
        budget.Buffers.Free(block);
    }
}
