namespace Strata.Server.Clients.Costs;

/// <summary>
/// What the clients of a worker cost, by who they are. Clients count for themselves; their owners are charged once a
/// second, when a client becomes another's, and when it goes. There is a bounded number of owners: where there are
/// more, the one that has taken least time gives way to another and counts among the others, a few in each second, so
/// that nobody who makes owners up can make much work. The worker's thread writes, any may read.
/// </summary>
internal sealed class WorkerCosts
{
    private readonly Dictionary<CostOwner, OwnerCost> _byOwner = [];
    private readonly OwnerCost?[] _owners;
    private int _count;
    private int _shedsLeft;

    /// <summary>No clients yet.</summary>
    /// <param name="capacity">How many owners there may be.</param>
    public WorkerCosts(int capacity)
    {
        _owners = new OwnerCost?[capacity];
    }

    /// <summary>What all those have cost who found no room, or gave way. Any thread.</summary>
    public OwnerCost Others { get; } = new(new CostOwner(
        CostOwner.Several, CostOwner.Several, CostOwner.Several, CostOwner.Several));

    /// <summary>The owners. Any thread.</summary>
    public IEnumerable<OwnerCost> Owners => _owners.OfType<OwnerCost>();

    /// <summary>A second has gone.</summary>
    public void BeginRound() => _shedsLeft = TrafficLimits.OwnersShedAtOnce;

    /// <summary>Charges what a client has cost since it was charged last.</summary>
    public void Charge(Session session)
    {
        ref var share = ref session.CostShare;
        var (commands, ticks) = (session.Cost.Commands, session.Cost.Ticks);
        var (bytesIn, bytesOut) = (session.Connection.Input.ConsumedBytes, session.Connection.Output.SentBytes);
        var isSame = commands == share.Commands && bytesIn == share.BytesIn && bytesOut == share.BytesOut;
        if (session.IsOwn || (isSame && share.Owner is { IsShed: false }))
        {
            return;
        }

        if (share.Owner is not { IsShed: false } owner || (owner == Others && _shedsLeft > 0))
        {
            owner = Of(CostOwner.Of(session));
            Move(ref share, owner);
        }

        owner.Add(
            commands - share.Commands, ticks - share.Ticks, bytesIn - share.BytesIn, bytesOut - share.BytesOut);
        (share.Commands, share.Ticks, share.BytesIn, share.BytesOut) = (commands, ticks, bytesIn, bytesOut);
    }

    /// <summary>A client has become another's, by a name or a user: what it has cost by now is the one's, what follows
    /// the other's. One that was never charged is just being introduced.</summary>
    public void OnRenamed(Session session)
    {
        if (session.CostShare.Owner != null)
        {
            Charge(session);
            Move(ref session.CostShare, null);
        }
    }

    /// <summary>A client goes.</summary>
    public void OnClosed(Session session)
    {
        Charge(session);
        Move(ref session.CostShare, null);
    }

    private void Move(ref CostShare share, OwnerCost? owner)
    {
        if (share.Owner is { } before)
        {
            (before.IsShed ? Others : before).Connections--;
        }

        if (owner != null)
        {
            owner.Connections++;
        }

        share.Owner = owner;
    }

    private OwnerCost Of(in CostOwner owner)
    {
        if (_byOwner.TryGetValue(owner, out var cost))
        {
            return cost;
        }

        var place = _count < _owners.Length ? _count++ : _shedsLeft-- > 0 ? Shed() : -1;
        if (place < 0)
        {
            return Others;
        }

        cost = new OwnerCost(owner);
        _byOwner.Add(owner, cost);
        Volatile.Write(ref _owners[place], cost);
        return cost;
    }

    /// <summary>Counts the owner that has taken least time among the others, one without clients first.</summary>
    private int Shed()
    {
        var place = 0;
        for (var i = 1; i < _owners.Length; i++)
        {
            var (one, least) = (_owners[i]!, _owners[place]!);
            var isLess = one.Ticks < least.Ticks;
            place = (one.Connections == 0) == (least.Connections == 0) ? (isLess ? i : place)
                : one.Connections == 0 ? i : place;
        }

        var shed = _owners[place]!;
        shed.IsShed = true;
        _ = _byOwner.Remove(shed.Owner);
        Others.Add(shed.Commands, shed.Ticks, shed.BytesIn, shed.BytesOut);
        Others.Connections += shed.Connections;
        return place;
    }
}
