using System.Globalization;
using System.Runtime.InteropServices;
using System.Text;
using Strata.Server.Metrics;
using Strata.Server.Options;
using Strata.Storage.Tiering;

namespace Strata.Server.Reports;

/// <summary>MEMORY DOCTOR: whether memory, and the disk that takes what does not fit, is used well, and what can be
/// done.</summary>
internal static class MemoryReport
{
    // Below this, the base that every process has says more than the data.
    private const long LeastBytes = 5L << 20;

    private const double HighFragmentation = 1.5;
    private const long HighFragmentationBytes = 128L << 20;
    private const double HighPeak = 1.5;
    private const double HighGarbageShare = 0.3;
    private const double HighDiskGarbageShare = 0.6;
    private const double HighIndexShare = 0.5;
    private const double NearLimit = 0.95;

    public static string Write(MemoryOverview memory, MaxMemoryPolicy policy)
    {
        if (IsAlmostEmpty(memory))
        {
            return "There is almost no data yet: nothing can be said about it. Ask again with data in place.\n";
        }

        var text = new StringBuilder();
        var findings = Findings(memory, policy).ToList();
        if (findings.Count == 0)
        {
            text.Append("Memory is used well: nothing to do.\n");
        }
        else
        {
            text.Append("Something about the memory can be better:\n\n");
            findings.ForEach(finding => text.Append("- ").Append(finding).Append('\n'));
        }

        if (memory.Tier is { DeviceLiveBytes: > 0 and var onDisk })
        {
            text.Append(CultureInfo.InvariantCulture,
                $"\n{InfoText.Human(onDisk)} of the data are on disk. INFO tier says more.\n");
        }

        return text.ToString();
    }

    /// <summary>What can be better, each a text with its remedy; none where there is almost no data.</summary>
    public static IEnumerable<string> Findings(MemoryOverview memory, MaxMemoryPolicy policy)
        => IsAlmostEmpty(memory)
            ? []
            : GeneralFindings(memory)
                .Concat(memory.Tier is { } tier ? TierFindings(memory, tier) : LimitFindings(memory, policy));

    private static bool IsAlmostEmpty(MemoryOverview memory)
    {
        var onDisk = memory.Tier?.DeviceLiveBytes ?? 0;
        return memory.UsedBytes - memory.StartupBytes + onDisk < LeastBytes && memory.TierFailure == 0;
    }

    private static IEnumerable<string> GeneralFindings(MemoryOverview memory)
    {
        if (memory.PeakBytes > memory.UsedBytes * HighPeak)
        {
            yield return $"{InfoText.Human(memory.PeakBytes)} were in use once, {InfoText.Human(memory.UsedBytes)} are "
                + "now: what was freed has gone back to the system, as far as its pages were empty. MEMORY PURGE "
                + "returns the rest of what is held for reuse.";
        }

        if (memory.FragmentationRatio > HighFragmentation
            && memory.ResidentBytes - memory.UsedBytes > HighFragmentationBytes)
        {
            yield return $"The process holds {InfoText.Human(memory.ResidentBytes)} for "
                + $"{InfoText.Human(memory.UsedBytes)} in use. Try MEMORY PURGE; if that does not help, look at "
                + "gc_committed_bytes in INFO memory.";
        }

        var logBytes = memory.LiveBytes + memory.GarbageBytes;
        if (logBytes > 0 && memory.GarbageBytes > logBytes * HighGarbageShare)
        {
            yield return $"{Percent(memory.GarbageBytes, logBytes)} % of the log are dead records and slack. "
                + "Compaction works on it in the background; a higher hz lets it work more often.";
        }
    }

    /// <summary>Where all data must fit into memory.</summary>
    private static IEnumerable<string> LimitFindings(MemoryOverview memory, MaxMemoryPolicy policy)
    {
        if (memory.LimitBytes > 0 && memory.UsedBytes > memory.LimitBytes * NearLimit)
        {
            yield return policy == MaxMemoryPolicy.NoEviction
                ? "maxmemory is nearly reached, and the policy is noeviction: writes are about to be refused. Raise "
                    + "maxmemory, choose a policy that evicts, or let what does not fit go to disk (storage-tier yes, "
                    + "after a restart)."
                : "maxmemory is nearly reached: keys are being evicted, or soon will be. Raise maxmemory if they "
                    + "should stay, or let what does not fit go to disk (storage-tier yes, after a restart).";
        }
    }

    /// <summary>Where what does not fit goes to disk: that memory is full is as it should be then.</summary>
    private static IEnumerable<string> TierFindings(MemoryOverview memory, TierOverview tier)
    {
        if (memory.TierFailure != 0)
        {
            yield return "What does not fit into memory cannot be written to the disk: "
                + $"{Marshal.GetPInvokeErrorMessage(memory.TierFailure)} (errno {memory.TierFailure}). Commands that "
                + "may add data are refused until it can. Free some space in 'dir', or look into the disk's errors.";
        }

        if (tier.DamagedRecords + tier.FailedReads > 0)
        {
            yield return $"{tier.FailedReads} reads of the disk failed, and {tier.DamagedRecords} records were not as "
                + "they had been written: their keys answer -IOERR. Look into the disk's errors, and write the keys "
                + "anew.";
        }

        if (memory.LimitBytes > 0 && memory.IndexBytes > memory.LimitBytes * HighIndexShare)
        {
            yield return "The index, which has to stay in memory, takes "
                + $"{Percent(memory.IndexBytes, memory.LimitBytes)} % of maxmemory: little is left for what is read "
                + "often, and with more keys writes will be refused. Raise maxmemory.";
        }

        var dead = tier.DeviceUsedBytes - tier.DeviceLiveBytes;
        if (tier.DeviceUsedBytes > LeastBytes && dead > tier.DeviceUsedBytes * HighDiskGarbageShare)
        {
            yield return $"{Percent(dead, tier.DeviceUsedBytes)} % of what is written on disk are dead records. A "
                + "lower compaction-garbage-percent gives their room back sooner, for more reads and writes.";
        }
    }

    private static string Percent(long part, long whole)
        => (100.0 * part / whole).ToString("F0", CultureInfo.InvariantCulture);
}
