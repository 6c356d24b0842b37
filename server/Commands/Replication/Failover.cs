using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Replication;

/// <summary>FAILOVER [TO host port [FORCE]] [ABORT] [TIMEOUT milliseconds]: there are no replicas to hand over to.
/// </summary>
internal static class Failover
{
    public static readonly CommandRow Row = new("failover", -1,
        CommandFlags.Admin | CommandFlags.NoScript | CommandFlags.Stale, KeySpec.None, Execute)
    {
        Group = CommandGroup.Server,
        Since = "6.2.0",
        Summary = "Hands over to a replica: there are none, so an error.",
        Complexity = "O(1)",
        Syntax = "[TO host port [FORCE]] [ABORT] [TIMEOUT milliseconds]",
    };

    private static void Execute(CommandContext context)
    {
        var isAbort = context.Count == 2 && context.IsWord(1, "abort"u8);
        if (isAbort)
        {
            context.Reply.Error("ERR No failover in progress."u8);
        }
        else if (TryReadOptions(context))
        {
            context.Reply.Error("ERR FAILOVER requires connected replicas."u8);
        }
    }

    /// <summary>Looks the options over, and answers an error where one is wrong.</summary>
    private static bool TryReadOptions(CommandContext context)
    {
        var (hasTarget, hasTimeout, isForced) = (false, false, false);
        for (var i = 1; i < context.Count; i++)
        {
            if (!hasTimeout && i + 1 < context.Count && context.IsWord(i, "timeout"u8))
            {
                if (!context.TryInteger(++i, out var timeoutMs))
                {
                    return false;
                }

                if (timeoutMs <= 0)
                {
                    context.Reply.Error("ERR FAILOVER timeout must be greater than 0"u8);
                    return false;
                }

                hasTimeout = true;
            }
            else if (!hasTarget && i + 2 < context.Count && context.IsWord(i, "to"u8))
            {
                i += 2;
                if (!context.TryInteger(i, out _))
                {
                    return false;
                }

                hasTarget = true;
            }
            else if (!isForced && context.IsWord(i, "force"u8))
            {
                isForced = true;
            }
            else
            {
                context.Reply.Error(Errors.Syntax);
                return false;
            }
        }

        return true;
    }
}
