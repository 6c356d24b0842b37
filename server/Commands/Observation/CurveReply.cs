using System.Text;
using Strata.Server.Diagnostics.Traffic.Curve;
using Strata.Server.Resp;
using Strata.Storage.Log;

namespace Strata.Server.Commands.Observation;

/// <summary>What STRATA CURVE answers.</summary>
internal static class CurveReply
{
    private const int FieldsOfPoint = 5;
    private const int Digits = 4;

    /// <summary>Writes what is told of every curve: five fields of the map.</summary>
    public static void WriteKeeper(ReplyWriter reply, CurveKeeper curve)
    {
        reply.Bulk("memory-bytes"u8);
        reply.Integer((long)curve.MemoryBytes);
        reply.Bulk("policy"u8);
        reply.Bulk(WordOf(curve.Policy));
        reply.Bulk("sampled-keys-ratio"u8);
        reply.Double(Math.Round(curve.Rate, 2 * Digits));
    }

    /// <summary>Writes a part of reads.</summary>
    public static void WriteRatio(ReplyWriter reply, double ratio) => reply.Double(Math.Round(ratio, Digits));

    /// <summary>Writes a curve. Where nothing was read there is no point.</summary>
    public static void Write(ReplyWriter reply, double memoryBytes, IEnumerable<CurvePoint> curve)
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

    private static byte[] WordOf(EvictionPolicy policy)
    {
        var name = policy.ToString();
        var part = name.StartsWith("AllKeys", StringComparison.Ordinal) ? "AllKeys" : "Volatile";
        return Encoding.ASCII.GetBytes($"{part}-{name[part.Length..]}".ToLowerInvariant());
    }
}
