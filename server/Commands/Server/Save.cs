using Strata.Server.Clients;
using Strata.Server.Commands.Model;
using Strata.Server.Persistence;

namespace Strata.Server.Commands.Server;

/// <summary>SAVE</summary>
internal static class Save
{
    public static readonly CommandRow Row = new("save", 1,
        CommandFlags.Admin | CommandFlags.NoScript | CommandFlags.NoMulti | CommandFlags.NoAsyncLoading
        | CommandFlags.AllShards, KeySpec.None, Execute)
    {
        Group = CommandGroup.Server,
        Since = "1.0.0",
        Summary = "Saves the data as it is now, and answers when it is on the disk.",
        Differs = "Only the client that sent it waits; others go on.",
        Complexity = "O(N) where N is the number of keys",
    };

    private static void Execute(CommandContext context)
    {
        var snapshots = context.Services.Snapshots;
        if (snapshots.UnderWay is SnapshotKind.Background or SnapshotKind.Final)
        {
            context.Reply.Error(BgSave.UnderWay);
            return;
        }

        var waiting = new AwaitedSnapshot(context.Session, static (reply, outcome) =>
        {
            if (outcome.Error == null)
            {
                reply.Ok();
            }
            else
            {
                reply.Error("ERR"u8); // As by Redis; the log says why.
            }
        });
        snapshots.Begin(snapshots.ToFile(SnapshotKind.Foreground, waiting));
    }
}
