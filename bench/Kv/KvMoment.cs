using System.Diagnostics;

namespace Strata.Bench.Kv;

/// <summary>What a run had used by a moment: differences of two are what lies between them.</summary>
internal readonly record struct KvMoment(
    long Timestamp, TimeSpan Cpu, long ColdReads, long SecondReads, long WrittenBytes)
{
    public double Seconds => (double)Timestamp / Stopwatch.Frequency;

    public static KvMoment Now(KvTarget target) => new(
        Stopwatch.GetTimestamp(), Environment.CpuUsage.TotalTime, target.ColdReads, target.SecondReads,
        target.WrittenBytes);

    public KvMoment Since(in KvMoment start) => new(
        Timestamp - start.Timestamp, Cpu - start.Cpu, ColdReads - start.ColdReads, SecondReads - start.SecondReads,
        WrittenBytes - start.WrittenBytes);
}
