namespace Strata.Tests.Storage.Devices;

/// <summary>
/// What goes wrong with the requests of a <see cref="SimulatedDevice"/>. Rates are from 0 (never) to 1 (always) per
/// request and may be changed at any time; without them the device is perfect.
/// </summary>
internal sealed class SimulatedFaults
{
    /// <summary>Reads that end with EIO, their buffer filled with rubbish.</summary>
    public double ReadErrorRate { get; set; }

    /// <summary>Writes that end with EIO; any of their sectors may have been written.</summary>
    public double WriteErrorRate { get; set; }

    /// <summary>Writes that end with ENOSPC though there is room; any of their sectors may have been written.</summary>
    public double NoSpaceRate { get; set; }

    /// <summary>Reads that bring fewer sectors than there are.</summary>
    public double ShortReadRate { get; set; }

    /// <summary>Reads that bring one wrong bit, reported as success.</summary>
    public double BitFlipRate { get; set; }

    /// <summary>Requests that end only some turns after the next one.</summary>
    public double DelayRate { get; set; }

    /// <summary>Longest delay in turns; a turn is a call of Reap.</summary>
    public int MaxDelayTurns { get; set; } = 8;

    /// <summary>Completions that overtake others.</summary>
    public double ReorderRate { get; set; }

    /// <summary>When not 0, every read ends with this errno.</summary>
    public int ReadErrno { get; set; }

    /// <summary>When not 0, every write ends with this errno and writes nothing.</summary>
    public int WriteErrno { get; set; }

    /// <summary>Bytes that the device has room for, all segments together. Writes into what is there need none.
    /// </summary>
    public long CapacityBytes { get; set; } = long.MaxValue;

    /// <summary>Sets the rates of all faults that a request tells of, and of delays and overtaking.</summary>
    public void SetRates(double rate)
    {
        ReadErrorRate = WriteErrorRate = NoSpaceRate = ShortReadRate = rate;
        DelayRate = ReorderRate = rate;
    }

    /// <summary>Lets every request fail from now on.</summary>
    public void FailEverything(int errno) => ReadErrno = WriteErrno = errno;

    /// <summary>Ends all faults.</summary>
    public void Heal()
    {
        SetRates(0);
        BitFlipRate = 0;
        ReadErrno = WriteErrno = 0;
        CapacityBytes = long.MaxValue;
    }
}
