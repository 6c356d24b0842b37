using Strata.Server.Clients;
using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;

namespace Strata.Server.Commands.Observation;

/// <summary>STRATA CURVE [DB db] [PREFIX prefix]</summary>
internal static class StrataCurve
{
    public static readonly CommandRow Row = new("curve", -2,
        CommandFlags.NoScript | CommandFlags.Loading | CommandFlags.Stale, KeySpec.None, Execute)
    {
        Group = CommandGroup.Server,
        Since = StrataReports.Since,
        IsReport = true,
        Summary = "Shows what part of reads would find their key with a tenth to ten times the memory.",
        Complexity = "O(N) where N is the number of keys that are drawn, some thousands at most",
        Syntax = "[DB db] [PREFIX prefix]",
        Tips = ["nondeterministic_output", "request_policy:all_nodes", "response_policy:special"],
    };

    private static void Execute(CommandContext context)
    {
        if (ReportPass.TryGoOn(context) || !TryParse(context, out var request))
        {
            return;
        }

        if (!request.IsAll)
        {
            ReportPass.Begin(context, new CurvePass(context, request));
            return;
        }

        var (reply, curve) = (context.Reply, context.Services.Curve);
        reply.Map(CurveReply.CommonFields);
        CurveReply.WriteKeeper(reply, curve);
        CurveReply.WriteCurves(reply, curve.MemoryBytes, curve.Hour, curve.Day);
    }

    private static bool TryParse(CommandContext context, out CurveRequest request)
    {
        request = new CurveRequest(-1, null);
        for (var i = 2; i < context.Count; i += 2)
        {
            if (i + 1 == context.Count)
            {
                context.Reply.Error(Errors.Syntax);
                return false;
            }

            if (context.IsWord(i, "prefix"u8))
            {
                var prefix = context.Argument(i + 1);
                if (prefix.Length > TrafficLimits.CurveNameBytes)
                {
                    context.Reply.Error($"ERR PREFIX should have at most {TrafficLimits.CurveNameBytes} bytes");
                    return false;
                }

                request = request with { Prefix = prefix.ToArray() };
            }
            else if (!context.IsWord(i, "db"u8))
            {
                context.Reply.Error(Errors.Syntax);
                return false;
            }
            else if (DatabaseArgument.TryRead(context, i + 1, out var database))
            {
                request = request with { Database = database };
            }
            else
            {
                return false;
            }
        }

        return true;
    }
}
