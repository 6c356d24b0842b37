namespace Strata.Tests.Simulation;

/// <summary>What a simulated world puts in the server's way.</summary>
[Flags]
internal enum SimulationFaults
{
    /// <summary>Nothing but the order of turns.</summary>
    None = 0,

    /// <summary>Leases of shards are held over turns.</summary>
    HeldLeases = 1,

    /// <summary>Within a turn, around handlers and where the clock is asked, other workers take whole turns: reads
    /// without a lease are disturbed, and leases found taken by those who work under them.</summary>
    Preemption = 2,

    /// <summary>Requests to the device end late and out of order.</summary>
    SlowDisk = 4,

    /// <summary>Reads and writes of the device fail, and bits flip.</summary>
    FailingDisk = 8,

    /// <summary>Some clients are cut off in the midst of what they sent.</summary>
    CutOffClients = 16,

    /// <summary>Little memory, and values that fill it.</summary>
    ShortMemory = 32,

    /// <summary>The power goes in the midst of all, and a new server begins on the same device.</summary>
    PowerCut = 64,
}
