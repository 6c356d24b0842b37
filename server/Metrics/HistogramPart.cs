namespace Strata.Server.Metrics;

/// <summary>What of a histogram an instrument has.</summary>
internal enum HistogramPart
{
    /// <summary>It is of no histogram.</summary>
    None,

    /// <summary>How many measurements were at most as large as each bound.</summary>
    Buckets,

    /// <summary>The sum of all.</summary>
    Sum,

    /// <summary>How many there were.</summary>
    Count,
}
