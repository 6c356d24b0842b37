using System.Runtime.InteropServices;

namespace Strata.Storage.Memory;

/// <summary>
/// Tells when memory that was taken out of use can no longer be read by anyone (quiescent-state based reclamation,
/// McKenney and Slingwine, 1998). Every worker notes at the start of each turn of its loop which retirements it has
/// seen, and while it waits for events that it reads nothing. There is nothing to enter or leave around a read.
/// </summary>
public sealed unsafe class Quiescence : IDisposable
{
    private const int SlotBytes = 128; // Two cache lines: the adjacent-line prefetcher pairs them.

    private readonly int _workers;
    private readonly byte* _slots;
    private long _retirement;

    /// <summary>A domain of <paramref name="workers"/> workers, none of them reading yet.</summary>
    public Quiescence(int workers)
    {
        _workers = workers;
        _slots = (byte*)NativeMemory.AlignedAlloc((nuint)(workers * SlotBytes), SlotBytes);
        for (var i = 0; i < workers; i++)
        {
            *Slot(i) = long.MaxValue;
        }
    }

    /// <summary>Called by worker <paramref name="worker"/> when it begins a turn: everything it reads from here on it
    /// reads after the retirements so far.</summary>
    public void BeginTurn(int worker)
        => Interlocked.Exchange(ref *Slot(worker), Volatile.Read(ref _retirement));

    /// <summary>Called by a worker before it waits: it holds no pointer into any shard.</summary>
    public void EndTurn(int worker) => Volatile.Write(ref *Slot(worker), long.MaxValue);

    /// <summary>Stamps something that was just taken out of use.</summary>
    public long Retire() => Interlocked.Increment(ref _retirement);

    /// <summary>Whether all workers but <paramref name="self"/> have begun a turn since the stamp was drawn. The caller
    /// knows of itself that it holds no pointer.</summary>
    public bool HasPassed(long stamp, int self)
    {
        for (var i = 0; i < _workers; i++)
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
