using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Strata.Storage.Runtime;

namespace Strata.Storage.Leases;

/// <summary>
/// The right to change a shard: a version lock in a word of its own pair of cache lines. Bit 0 says that it is taken,
/// bit 1 that it is reserved (<see cref="LeaseReservation"/>), the others count; every change of the shard lies between
/// two different values without bit 0, which is what optimistic readers check
/// (optimistic lock coupling, Leis et al., DaMoN '16). Work that finds the lease taken is queued with it and executed
/// by the holder (flat combining, Hendler et al., SPAA '10). A lease is never held across a wait.
/// </summary>
public sealed unsafe class ShardLease : IDisposable
{
    private const int LineBytes = 128;
    private const long Taken = 1;
    private const long Reserved = 2;

    // What the word of a taken lease is added to be free: a reservation stays, or ends with it.
    private const long ToFree = 3;
    private const long ToFreeUnreserved = 1;

    private readonly byte* _memory;
    private readonly WorkQueue _queue = new();
    private readonly HandOver _handOver;
    private readonly bool _isShared;

    // What was taken from the queue and is not executed yet, the oldest first; the holder's.
    private WorkItem? _taken;

    /// <summary>A free lease. When only one worker exists (<paramref name="isShared"/> false) nothing is atomic.
    /// </summary>
    public ShardLease(bool isShared, int number)
    {
        _isShared = isShared;
        Number = number;
        _handOver = new HandOver(this);
        _memory = (byte*)NativeMemory.AlignedAlloc(LineBytes, LineBytes);
        *Word = 0;
    }

    /// <summary>Whether several workers may want it.</summary>
    public bool IsShared => _isShared;

    /// <summary>The number of its shard; behind them all, that of <see cref="Sharding.ShardMap.Escalation"/>.</summary>
    public int Number { get; }

    /// <summary>Who may have reserved the lease; null where nobody can.</summary>
    internal LeaseReservation? Reservation { get; set; }

    /// <summary>Who is told when what was to be done under the lease has been done; null while nobody is. Changed only
    /// by who holds the lease.</summary>
    public IHoldEnd? HoldEnd { get; set; }

    /// <summary>Times the lease was found taken.</summary>
    public long Contentions { get; private set; }

    private long* Word
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => (long*)_memory;
    }

    /// <summary>Takes the lease if it is free.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryAcquire()
    {
        var version = Volatile.Read(ref *Word);
        if ((version & (Taken | Reserved)) != 0)
        {
            return false;
        }

        if (_isShared)
        {
            return Interlocked.CompareExchange(ref *Word, version + 1, version) == version;
        }

        *Word = version + 1;
        return true;
    }

    /// <summary>Takes the lease, trying for about a microsecond.</summary>
    public bool TryAcquireSpinning()
    {
        for (var i = 0; i < Limits.LeaseSpins; i++)
        {
            if (TryAcquire())
            {
                return true;
            }

            Thread.SpinWait(1);
        }

        Contentions++; // Racy on purpose: a statistic.
        return false;
    }

    /// <summary>Takes the lease though it is reserved, for the caller or for one who waits for what the caller has,
    /// trying for about a microsecond.</summary>
    public bool TryAcquireReserved()
    {
        for (var i = 0; i < Limits.LeaseSpins; i++)
        {
            var version = Volatile.Read(ref *Word);
            if (IsFree(version) && Interlocked.CompareExchange(ref *Word, version + Taken, version) == version)
            {
                return true;
            }

            Thread.SpinWait(1);
        }

        return false;
    }

    /// <summary>Reserves the lease for who has the reservation: from here on nobody else takes it.</summary>
    public void Reserve() => Interlocked.Or(ref *Word, Reserved);

    /// <summary>Ends that without having taken it.</summary>
    public void Unreserve()
    {
        Interlocked.And(ref *Word, ~Reserved);
        DrainIfFree();
    }

    /// <summary>The version an optimistic read starts from; it tells whether the shard is being changed.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public long ReadVersion() => Volatile.Read(ref *Word);

    /// <summary>Whether a version says that nobody holds the lease.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool IsFree(long version) => (version & Taken) == 0;

    /// <summary>Whether nothing changed since <see cref="ReadVersion"/> gave <paramref name="version"/>.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool IsUnchanged(long version)
    {
        // Keeps the reads of the shard before the second read of the version; on x86-64 it costs no instruction.
        Volatile.ReadBarrier();
        return *Word == version;
    }

    /// <summary>Executes what was queued meanwhile, and gives the lease back. While others go on queueing, the rest is
    /// left to one of them, whose clients wait for it: those of this thread do, too.</summary>
    public void Release() => Release(ToFree, wakes: true);

    /// <summary>Gives a lease back that the caller has reserved, and reserves no more.</summary>
    public void ReleaseReserved() => Release(ToFreeUnreserved, wakes: false);

    /// <summary>Gives a lease back that the caller has reserved, and still does: others were not to be had.</summary>
    public void ReleaseStillReserved() => Release(ToFree, wakes: false);

    private void Release(long step, bool wakes)
    {
        HoldEnd?.OnHoldEnd();
        if (!_isShared)
        {
            *Word += step;
            return;
        }

        Worker? last = null;
        var left = Limits.WorkPerRelease;
        while (true)
        {
            while (left > 0 && TryTake(out var work))
            {
                last = work.Owner;
                work.Execute();
                HoldEnd?.OnHoldEnd(); // What it answers may be sent from here on.
                last.Post(work);
                left--;
            }

            // The addition is a full fence: either whoever queues next sees the lease free, or its item is seen here.
            var isAnyTaken = _taken != null;
            var version = Interlocked.Add(ref *Word, step);
            if (wakes && (version & Reserved) != 0)
            {
                Reservation!.Wake();
            }

            if (!isAnyTaken && _queue.IsEmpty)
            {
                return;
            }

            if (left == 0)
            {
                last!.PostOnce(_handOver);
                return;
            }

            if (!TryAcquire())
            {
                return; // Whoever has taken it, or has reserved it, executes the rest.
            }

            (step, wakes) = (ToFree, true);
        }
    }

    /// <summary>Leaves work for the lease's holder, or does it here when the lease has become free.</summary>
    public void Queue(ShardWork work)
    {
        _ = _queue.Add(work);
        DrainIfFree();
    }

    /// <summary>Executes queued work unless somebody holds the lease, who then will. What its last holder has taken
    /// from the queue and not come to is part of it: who was to go on may have found the lease reserved.</summary>
    public void DrainIfFree()
    {
        if ((!_queue.IsEmpty || Volatile.Read(ref _taken) != null) && TryAcquire())
        {
            Release();
        }
    }

    /// <summary>Takes the oldest of the queued work.</summary>
    private bool TryTake([NotNullWhen(true)] out ShardWork? work)
    {
        _taken ??= _queue.IsEmpty ? null : _queue.TakeAll();
        work = (ShardWork?)_taken;
        _taken = _taken?.Unlink();
        return work != null;
    }

    /// <inheritdoc/>
    public void Dispose() => NativeMemory.AlignedFree(_memory);

    /// <summary>Brings the work that is left to a worker whose clients wait for it.</summary>
    private sealed class HandOver(ShardLease lease) : WorkItem
    {
        /// <inheritdoc/>
        public override void Run(Worker worker)
        {
            if (lease.TryAcquire())
            {
                lease.Release();
            }
        }
    }
}
