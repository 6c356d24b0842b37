namespace Strata.Tests.Storage.Devices;

/// <summary>What a <see cref="SimulatedDevice"/> did so far, so that a test can prove that its faults happened.
/// </summary>
internal sealed record SimulatedCounts
{
    /// <summary>Submits that started at least one request.</summary>
    public long Submits { get; set; }

    /// <summary>How often a queue was asked for what has ended.</summary>
    public long Reaps { get; set; }

    /// <summary>Reads that ended, well or not.</summary>
    public long Reads { get; set; }

    /// <summary>Writes that ended, well or not.</summary>
    public long Writes { get; set; }

    /// <summary>Requests that ended with an errno, of whatever reason.</summary>
    public long Errors { get; set; }

    /// <summary>Writes that found no room, or were told so.</summary>
    public long NoSpaceErrors { get; set; }

    public long ShortReads { get; set; }

    public long BitFlips { get; set; }

    public long Delays { get; set; }

    public long Reorderings { get; set; }

    public long Crashes { get; set; }

    /// <summary>Sectors that a failed or interrupted write left written, and unwritten.</summary>
    public long TornSectorsKept { get; set; }

    /// <inheritdoc cref="TornSectorsKept"/>
    public long TornSectorsLost { get; set; }
}
