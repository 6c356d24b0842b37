using Strata.Server.Clients;
using Strata.Server.Commands.Model;
using Strata.Server.Diagnostics.Traffic.Curve;
using Strata.Server.Resp;

namespace Strata.Server.Commands.Observation;

/// <summary>STRATA CURVE</summary>
internal static class StrataCurve
{
    public static readonly CommandRow Row = new("curve", 2,
        CommandFlags.NoScript | CommandFlags.Loading | CommandFlags.Stale, KeySpec.None, Execute)
    {
        Group = CommandGroup.Server,
        Since = StrataReports.Since,
        IsReport = true,
        Summary = "Shows what part of reads would find their key with a tenth to ten times the memory.",
        Complexity = "O(1)",
        Tips = ["nondeterministic_output", "request_policy:all_nodes", "response_policy:special"],
    };

    private const int Fields = 4;
    private const int FieldsOfPoint = 5;
    private const int Digits = 4;

    private static void Execute(CommandContext context)
    {
        var curve = context.Services.Curve;
        var reply = context.Reply;
        reply.Map(Fields);
        reply.Bulk("memory-bytes"u8);
        reply.Integer((long)curve.MemoryBytes);
        reply.Bulk("sampled-keys-ratio"u8);
        reply.Double(Math.Round(curve.Rate, 2 * Digits));
        reply.Bulk("hour"u8);
        Write(reply, curve.MemoryBytes, [.. curve.Hour]);
        reply.Bulk("day"u8);
        Write(reply, curve.MemoryBytes, [.. curve.Day]);
    }

    /// <summary>Where nothing was read there is no point.</summary>
    private static void Write(ReplyWriter reply, double memoryBytes, List<CurvePoint> points)
    {
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
            reply.Double(Math.Round(point.HitRatio, Digits));
            reply.Bulk("at-least"u8);
            reply.Double(Math.Round(Math.Max(0, point.HitRatio - point.Error), Digits));
            reply.Bulk("at-most"u8);
            reply.Double(Math.Round(Math.Min(1, point.HitRatio + point.Error), Digits));
        }
    }
}
