using System.Globalization;
using System.Text;
using Strata.Server.Options;

namespace Strata.Server.Reports;

/// <summary>MEMORY DOCTOR: whether memory is used well, and what can be done.</summary>
internal static class MemoryReport
{
    // Below this, the base that every process has says more than the data.
    private const long LeastBytes = 5L << 20;

    private const double HighFragmentation = 1.5;
    private const long HighFragmentationBytes = 128L << 20;
    private const double HighPeak = 1.5;
    private const double HighGarbageShare = 0.3;
    private const double NearLimit = 0.95;

    public static string Write(MemoryOverview memory, MaxMemoryPolicy policy)
    {
        if (memory.UsedBytes - memory.StartupBytes < LeastBytes)
        {
            return "There is almost no data yet: nothing can be said about it. Ask again with data in place.\n";
        }

        var findings = Findings(memory, policy).ToList();
        if (findings.Count == 0)
        {
            return "Memory is used well: nothing to do.\n";
        }

        var text = new StringBuilder("Something about the memory can be better:\n\n");
        findings.ForEach(finding => text.Append("- ").Append(finding).Append('\n'));
        return text.ToString();
    }

    private static IEnumerable<string> Findings(MemoryOverview memory, MaxMemoryPolicy policy)
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
            var percent = (100.0 * memory.GarbageBytes / logBytes).ToString("F0", CultureInfo.InvariantCulture);
            yield return $"{percent} % of the log are dead records and slack. Compaction works on it in the "
                + "background; a higher hz lets it work more often.";
        }

        if (memory.LimitBytes > 0 && memory.UsedBytes > memory.LimitBytes * NearLimit)
        {
            yield return policy == MaxMemoryPolicy.NoEviction
                ? "maxmemory is nearly reached, and the policy is noeviction: writes are about to be refused. Raise "
                    + "maxmemory or choose a policy that evicts."
                : "maxmemory is nearly reached: keys are being evicted, or soon will be. Raise maxmemory if they "
                    + "should stay.";
        }
    }
}
