namespace Strata.Server.Diagnostics.Traffic.Curve;

/// <summary>Reads of all keys, in a time.</summary>
internal struct ReadTotals
{
    // By so much the two ways in which reads are counted may differ, and so many of those that are drawn may be
    // unclear, and what the server itself has missed is made use of.
    private const double MostUnclear = 0.01;

    /// <summary>All, as commands name keys.</summary>
    public double Reads;

    /// <summary>All, as the server looks for keys.</summary>
    public double Lookups;

    /// <summary>Those of them that the server itself has missed.</summary>
    public double Missed;

    /// <summary>Reads of hot keys.</summary>
    public double Hot;

    /// <summary>Those of hot keys that are not there.</summary>
    public double HotMissed;

    /// <summary>Those of keys that were drawn, by their weight, of which nobody knows whether the server has missed
    /// them.</summary>
    public double Unclear;

    /// <summary>Those of the others than hot keys.</summary>
    public readonly double Cold => Math.Max(0, Reads - Hot);

    /// <summary>Those of them that the server itself has missed; not a number where that is not known.</summary>
    public readonly double ColdMissed
        => Math.Abs(Lookups - Reads) <= MostUnclear * Reads && Unclear <= MostUnclear * Reads
            ? Math.Clamp(Missed - HotMissed, 0, Cold)
            : double.NaN;

    /// <summary>Adds others.</summary>
    public void Add(in ReadTotals other)
    {
        Reads += other.Reads;
        Lookups += other.Lookups;
        Missed += other.Missed;
        Hot += other.Hot;
        HotMissed += other.HotMissed;
        Unclear += other.Unclear;
    }
}
