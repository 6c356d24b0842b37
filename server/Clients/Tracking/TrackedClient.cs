namespace Strata.Server.Clients.Tracking;

/// <summary>A client that tracks, as what it has read is remembered.</summary>
/// <param name="Id">Its number.</param>
/// <param name="Slot">Its bit among the clients of its worker, or <see cref="NoSlot"/>.</param>
internal readonly record struct TrackedClient(long Id, int Slot)
{
    /// <summary>Clients of a worker that have a slot at most.</summary>
    public const int Slots = 64;

    /// <summary>The client is one of too many for a slot.</summary>
    public const int NoSlot = -1;
}
