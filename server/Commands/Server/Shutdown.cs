using Strata.Server.Clients;
using Strata.Server.Commands.Model;
using Strata.Server.Persistence;

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
        Summary = "Stops the server, after saving the data where it is to be saved by itself, or SAVE says so.",
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

        var snapshots = context.Services.Snapshots;
        if (options.Abort)
        {
            Abort(context, snapshots);
            return;
        }

        var isScriptSlow = context.Services.Scripts.IsAnySlow;
        if (isScriptSlow && !options.NoSave)
        {
            context.Reply.Error(Errors.Busy);
            return;
        }

        var saves = options.Save || (!options.NoSave && context.Server.Configuration.Current.SavePoints.Count > 0);
        if (saves && !context.Services.Loading.IsLoading)
        {
            SaveFirst(context, snapshots, isForced: options.Force);
            return;
        }

        // As with Redis, the answer is the end of the connection.
        snapshots.IsLastDone = true;
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

    private static void Abort(CommandContext context, Snapshots snapshots)
    {
        if (!snapshots.TryAbortLast())
        {
            context.Reply.Error("ERR No shutdown in progress."u8);
            return;
        }

        context.Reply.Ok();
    }

    /// <summary>Saves the data, which nobody may change from then on, and ends the server when that is done. Where it
    /// cannot be done the server goes on, unless it is to end all the same.</summary>
    private static void SaveFirst(CommandContext context, Snapshots snapshots, bool isForced)
    {
        var (session, shutdown) = (context.Session, context.Server.Shutdown);
        var waiting = new AwaitedSnapshot(session, (reply, outcome) =>
        {
            if (outcome.Error != null && (outcome.IsCancelled || !isForced))
            {
                reply.Error("ERR Errors trying to SHUTDOWN. Check logs."u8);
                return;
            }

            session.ClosesAfterReply = true;
            shutdown.Request();
        });
        snapshots.WantLast(waiting, isForced);
    }
}
