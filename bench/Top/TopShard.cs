namespace Strata.Bench.Top;

/// <summary>A shard, and what its pages hold.</summary>
/// <param name="Number">Its number.</param>
/// <param name="LiveBytes">Live records in memory.</param>
/// <param name="DeadBytes">Dead records and slack.</param>
/// <param name="RestBytes">What else is in the memory of its pages.</param>
/// <param name="RetiredBytes">Emptied pages.</param>
/// <param name="DiskBytes">What is on the disk alone, about.</param>
/// <param name="IsCompacting">Whether compaction has moved something.</param>
internal sealed record TopShard(
    string Number,
    double LiveBytes,
    double DeadBytes,
    double RestBytes,
    double RetiredBytes,
    double DiskBytes,
    bool IsCompacting)
{
    /// <summary>All of it.</summary>
    public double TotalBytes => LiveBytes + DeadBytes + RestBytes + RetiredBytes + DiskBytes;
}
