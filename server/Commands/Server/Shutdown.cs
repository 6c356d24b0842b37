using Strata.Server.Clients;
using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Server;

/// <summary>SHUTDOWN [NOSAVE | SAVE] [NOW] [FORCE] [ABORT]</summary>
internal static class Shutdown
{
    public static readonly CommandRow Row = new("shutdown", -1,
        CommandFlags.Admin | CommandFlags.NoScript | CommandFlags.Loading | CommandFlags.Stale
        | CommandFlags.NoMulti | CommandFlags.AllowBusy, KeySpec.None, Execute)
    {
        Group = CommandGroup.Server,
        Since = "1.0.0",
        Summary = "Stops the server.",
        Differs = "Nothing is ever saved: SAVE is an error unless FORCE is given, too.",
        Complexity = "O(1)",
        Syntax = "[NOSAVE|SAVE] [NOW] [FORCE] [ABORT]",
    };

    private static void Execute(CommandContext context)
    {
        if (!ShutdownOptions.TryParse(context, out var options))
        {
            context.Reply.Error(Errors.Syntax);
            return;
        }

        if (options.Abort)
        {
            // A shutdown waits for nothing, so by the time that this is read none is under way.
            context.Reply.Error("ERR No shutdown in progress."u8);
            return;
        }

        var isScriptSlow = context.Services.Scripts.IsAnySlow;
        if (isScriptSlow && !options.NoSave)
        {
            context.Reply.Error(Errors.Busy);
            return;
        }

        if (options.Save && !options.Force)
        {
            context.Server.Log.CannotSaveAtShutdown();
            context.Reply.Error("ERR Errors trying to SHUTDOWN. Check logs."u8);
            return;
        }

        // As with Redis, the answer is the end of the connection.
        context.Session.ClosesAfterReply = true;
        if (isScriptSlow)
        {
            context.Server.Shutdown.RequestAtOnce();
        }
        else
        {
            context.Server.Shutdown.Request();
        }
    }
}
