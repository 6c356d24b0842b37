namespace Strata.Storage.Leases;

/// <summary>
/// The right to be next at several leases, which one command of the whole server has at a time: for one that needs many
/// leases, and finds one of them taken again and again. A lease that is reserved for it is taken by nobody else once
/// its holder has given it back, so that the command comes to its turn however busy the shards are. Any thread.
/// </summary>
public sealed class LeaseReservation
{
    /// <summary>Words of a set of leases, a bit each: those of the shards, and the one behind them.</summary>
    public const int Words = (Limits.MaxShards / 64) + 1;

    private readonly List<ShardLease> _leases = [];
    private LeaseClaim? _claim;

    /// <summary>The leases that can be reserved, by the numbers of their shards, and the one behind them.</summary>
    internal IReadOnlyList<ShardLease> Leases => _leases;

    /// <summary>Adds the next lease, before it is used.</summary>
    public void Add(ShardLease lease)
    {
        lease.Reservation = this;
        _leases.Add(lease);
    }

    /// <summary>Takes the right, if nobody has it.</summary>
    public bool TryTake(LeaseClaim claim) => Interlocked.CompareExchange(ref _claim, claim, null) == null;

    /// <summary>Gives the right back.</summary>
    public void Return(LeaseClaim claim)
    {
        var held = Interlocked.CompareExchange(ref _claim, null, claim);
        Invariant.Check(held == claim, "a reservation is given back by who has it");
    }

    /// <summary>A reserved lease was given back: who reserved it may try again.</summary>
    internal void Wake() => Volatile.Read(ref _claim)?.Wake();
}
