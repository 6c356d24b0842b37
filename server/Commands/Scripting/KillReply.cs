using Strata.Server.Clients;
using Strata.Server.Commands.Model;
using Strata.Server.Scripting;

namespace Strata.Server.Commands.Scripting;

/// <summary>What SCRIPT KILL and FUNCTION KILL do.</summary>
internal static class KillReply
{
    /// <summary>Ends a slow script, or a slow function, and answers whether that was done.</summary>
    public static void Write(CommandContext context, bool isFunction)
    {
        var reply = context.Reply;
        switch (context.Services.Scripts.Kill(isFunction))
        {
            case KillOutcome.Killed:
                reply.Ok();
                break;
            case KillOutcome.NoneRuns:
                reply.Error("NOTBUSY No scripts in execution right now."u8);
                break;
            case KillOutcome.OtherKind:
                reply.Error(isFunction ? Errors.Busy : Errors.BusyWithFunction);
                break;
            default:
                reply.Error("UNKILLABLE Sorry the script already executed write commands against the dataset. "u8
                    + "You can either wait the script termination or kill the server in a hard way using the "u8
                    + "SHUTDOWN NOSAVE command."u8);
                break;
        }
    }
}
