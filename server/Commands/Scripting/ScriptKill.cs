using Strata.Server.Clients;
using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Scripting;

/// <summary>SCRIPT KILL</summary>
internal static class ScriptKill
{
    public static readonly CommandRow Row = new("kill", 2,
        CommandFlags.NoScript | CommandFlags.AllowBusy, KeySpec.None, Execute)
    {
        Group = CommandGroup.Scripting,
        Categories = AclCategories.Scripting,
        Since = "2.6.0",
        Summary = "Ends a script that runs for long and has changed nothing.",
        Complexity = "O(1)",
        Tips = ["request_policy:all_shards", "response_policy:one_succeeded"],
    };

    private static void Execute(CommandContext context)
    {
        var (slow, killed) = context.Services.Scripts.KillSlow();
        if (slow == 0)
        {
            context.Reply.Error("NOTBUSY No scripts in execution right now."u8);
        }
        else if (killed > 0)
        {
            context.Reply.Ok();
        }
        else
        {
            context.Reply.Error("UNKILLABLE Sorry the script already executed write commands against the dataset. "u8
                + "You can either wait the script termination or kill the server in a hard way using the "u8
                + "SHUTDOWN NOSAVE command."u8);
        }
    }
}
