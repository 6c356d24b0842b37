namespace Strata.Bench.Reports;

/// <summary>How a figure is set against another server's.</summary>
public enum Comparison
{
    /// <summary>As a quotient.</summary>
    Ratio,

    /// <summary>As a difference, in percentage points.</summary>
    Points,
}
