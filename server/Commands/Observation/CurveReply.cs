using Strata.Server.Diagnostics.Traffic.Curve;
using Strata.Server.Options.Keys;
using Strata.Server.Resp;

namespace Strata.Server.Commands.Observation;

/// <summary>What STRATA CURVE answers.</summary>
internal static class CurveReply
{
    /// <summary>Fields of the map that both kinds of answers have.</summary>
    public const int CommonFields = 5;

    private const int FieldsOfPoint = 5;
    private const int Digits = 4;

    /// <summary>Writes what the curves were found out with: the first three of the common fields.</summary>
    public static void WriteKeeper(ReplyWriter reply, CurveKeeper curve)
    {
        reply.Bulk("memory-bytes"u8);
        reply.Integer((long)curve.MemoryBytes);
        reply.Bulk("policy"u8);
        reply.Bulk(MemoryKeys.Policies.WordOf(curve.Policy));
        reply.Bulk("sampled-keys-ratio"u8);
        reply.Double(Math.Round(curve.Rate, 2 * Digits));
    }

    /// <summary>Writes a part of reads.</summary>
    public static void WriteRatio(ReplyWriter reply, double ratio) => reply.Double(Math.Round(ratio, Digits));

    /// <summary>Writes the curves: the last two of the common fields.</summary>
    public static void WriteCurves(
        ReplyWriter reply, double memoryBytes, IEnumerable<CurvePoint> hour, IEnumerable<CurvePoint> day)
    {
        reply.Bulk("hour"u8);
        Write(reply, memoryBytes, hour);
        reply.Bulk("day"u8);
        Write(reply, memoryBytes, day);
    }

    /// <summary>Writes a curve. Where nothing was read there is no point.</summary>
    private static void Write(ReplyWriter reply, double memoryBytes, IEnumerable<CurvePoint> curve)
    {
        List<CurvePoint> points = [.. curve];
        points.RemoveAll(static point => double.IsNaN(point.HitRatio));
        reply.Array(points.Count);
        foreach (var point in points)
        {
            reply.Map(FieldsOfPoint);
            reply.Bulk("factor"u8);
            reply.Double(point.Factor);
            reply.Bulk("memory-bytes"u8);
            reply.Integer((long)(point.Factor * memoryBytes));
            reply.Bulk("hit-ratio"u8);
            WriteRatio(reply, point.HitRatio);
            reply.Bulk("at-least"u8);
            WriteRatio(reply, Math.Max(0, point.HitRatio - point.Error));
            reply.Bulk("at-most"u8);
            WriteRatio(reply, Math.Min(1, point.HitRatio + point.Error));
        }
    }
}
