using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Strata.Storage.Memory;

/// <summary>
/// Tells when memory that was taken out of use can no longer be read by anyone (quiescent-state based reclamation,
/// McKenney and Slingwine, 1998). A worker notes before the first of its reads without a lease which retirements it has
/// seen, and when it has forgotten all that they led it to: before it executes something under leases, which may take
/// long, and before it waits for events. What is read under a shard's lease needs no note: the shard's memory is reused
/// under the lease alone.
/// </summary>
public sealed unsafe class Quiescence : IDisposable
{
    /// <summary>In place of a worker's number.</summary>
    public const int Nobody = -1;

    private const int SlotBytes = 128; // Two cache lines: the adjacent-line prefetcher pairs them.

    private readonly byte* _slots;
    private long _retirement;

    /// <summary>A domain of <paramref name="workers"/> workers, none of them reading yet.</summary>
    public Quiescence(int workers)
    {
        Workers = workers;
        _slots = (byte*)NativeMemory.AlignedAlloc((nuint)(workers * SlotBytes), SlotBytes);
        for (var i = 0; i < workers; i++)
        {
            *Slot(i) = long.MaxValue;
        }
    }

    /// <summary>Workers, by their numbers from 0 on.</summary>
    public int Workers { get; }

    /// <summary>Called by worker <paramref name="worker"/> before it reads without a lease: what is retired from here
    /// on stays readable until <see cref="EndReads"/>. Costs a look when that was said before.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void BeginReads(int worker)
    {
        if (*Slot(worker) == long.MaxValue)
        {
            // A full fence: what is read comes after the note.
            Interlocked.Exchange(ref *Slot(worker), Volatile.Read(ref _retirement));
        }
    }

    /// <summary>Called by a worker that holds no pointer that it got without a lease.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void EndReads(int worker)
    {
        if (*Slot(worker) != long.MaxValue)
        {
            Volatile.Write(ref *Slot(worker), long.MaxValue);
        }
    }

    /// <summary>Stamps something that was just taken out of use.</summary>
    public long Retire() => Interlocked.Increment(ref _retirement);

    /// <summary>Whether no worker but <paramref name="self"/> reads since before the stamp was drawn. The caller knows
    /// of itself that it holds no pointer; <see cref="Nobody"/> where it does not know who it is.</summary>
    public bool HasPassed(long stamp, int self)
    {
        for (var i = 0; i < Workers; i++)
        {
            if (i != self && Volatile.Read(ref *Slot(i)) < stamp)
            {
                return false;
            }
        }

        return true;
    }

    /// <inheritdoc/>
    public void Dispose() => NativeMemory.AlignedFree(_slots);

    private long* Slot(int worker) => (long*)(_slots + worker * SlotBytes);
}
