namespace Strata.Server.Clients.Costs;

/// <summary>What of a client's cost its owner has been charged with, and who that is.</summary>
internal struct CostShare
{
    /// <summary>The owner; null before the first charge, and when the client has become another's.</summary>
    public OwnerCost? Owner;

    /// <summary>Commands that were charged.</summary>
    public long Commands;

    /// <summary>Ticks that were.</summary>
    public long Ticks;

    /// <summary>Bytes received that were.</summary>
    public long BytesIn;

    /// <summary>Bytes sent that were.</summary>
    public long BytesOut;
}
