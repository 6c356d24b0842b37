using System.Diagnostics;

namespace Strata.Bench.Kv;

/// <summary>What a run had used by a moment: differences of two are what lies between them.</summary>
internal readonly record struct KvMoment(
    long Timestamp, TimeSpan Cpu, long ColdReads, long SecondReads, long WrittenBytes)
{
    public double Seconds => (double)Timestamp / Stopwatch.Frequency;

    public static KvMoment Now(KvTarget target)
    {
        var tier = target.Overview;
        return new KvMoment(
            Stopwatch.GetTimestamp(), Environment.CpuUsage.TotalTime, tier?.Reads ?? 0, tier?.SecondReads ?? 0,
            tier?.WrittenBytes ?? 0);
    }

    public KvMoment Since(in KvMoment start) => new(
        Timestamp - start.Timestamp, Cpu - start.Cpu, ColdReads - start.ColdReads, SecondReads - start.SecondReads,
        WrittenBytes - start.WrittenBytes);
}
