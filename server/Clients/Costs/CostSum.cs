using System.Diagnostics;

namespace Strata.Server.Clients.Costs;

/// <summary>What clients cost that have something in common.</summary>
internal sealed class CostSum
{
    /// <summary>What they have in common.</summary>
    public CostOwner Owner { get; private set; }

    /// <summary>How many there are now.</summary>
    public int Connections { get; private set; }

    /// <summary>Commands that were executed, also of those that have gone.</summary>
    public long Commands { get; private set; }

    /// <summary>How long they took, in microseconds.</summary>
    public double Microseconds { get; private set; }

    /// <summary>Bytes that were received.</summary>
    public long BytesIn { get; private set; }

    /// <summary>Bytes that were sent.</summary>
    public long BytesOut { get; private set; }

    /// <summary>Adds one owner's.</summary>
    public void Add(OwnerCost cost)
    {
        Owner = Owner.Name == null ? cost.Owner : CostOwner.Common(Owner, cost.Owner);
        Connections += cost.Connections;
        Commands += cost.Commands;
        Microseconds += cost.Ticks * 1e6 / Stopwatch.Frequency;
        BytesIn += cost.BytesIn;
        BytesOut += cost.BytesOut;
    }
}
