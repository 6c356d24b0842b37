using System.Numerics;
using Strata.Storage.Runtime;

namespace Strata.Storage.Leases;

/// <summary>Who has the <see cref="LeaseReservation"/>, or may ask for it, and the leases that are reserved for it. On
/// its worker's thread, except where a member says otherwise.</summary>
public abstract class LeaseClaim : WorkItem
{
    private readonly LeaseReservation _reservation;
    private readonly Worker _owner;
    private readonly ulong[] _reserved = new ulong[LeaseReservation.Words];

    /// <summary>A claim that reserves nothing yet.</summary>
    /// <param name="reservation">What it may have.</param>
    /// <param name="owner">The worker that is woken.</param>
    protected LeaseClaim(LeaseReservation reservation, Worker owner)
    {
        _reservation = reservation;
        _owner = owner;
    }

    /// <summary>Whether it has the reservation.</summary>
    public bool IsHeld { get; private set; }

    /// <summary>Takes the reservation, if nobody has it.</summary>
    public bool TryTake() => IsHeld = _reservation.TryTake(this);

    /// <summary>Reserves the leases of a set, a bit each, and no others.</summary>
    public void Reserve(ReadOnlySpan<ulong> wanted)
    {
        for (var word = 0; word < _reserved.Length; word++)
        {
            ForEach(word, wanted[word] & ~_reserved[word], static lease => lease.Reserve());
            ForEach(word, _reserved[word] & ~wanted[word], static lease => lease.Unreserve());
            _reserved[word] = wanted[word];
        }
    }

    /// <summary>The reserved leases were had, and are given back: so is the reservation.</summary>
    public void OnReleased()
    {
        Array.Clear(_reserved);
        End();
    }

    /// <summary>Gives the reservation back, if it has it, with all that is reserved.</summary>
    public void Abandon()
    {
        if (IsHeld)
        {
            Reserve(stackalloc ulong[_reserved.Length]);
            End();
        }
    }

    /// <summary>Wakes who waits for reserved leases. Any thread.</summary>
    internal void Wake() => _owner.PostOnce(this);

    private void End()
    {
        IsHeld = false;
        _reservation.Return(this);
    }

    private void ForEach(int word, ulong bits, Action<ShardLease> action)
    {
        for (; bits != 0; bits &= bits - 1)
        {
            action(_reservation.Leases[(word << 6) + BitOperations.TrailingZeroCount(bits)]);
        }
    }
}
