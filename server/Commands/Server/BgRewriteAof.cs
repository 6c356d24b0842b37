using Strata.Server.Clients;
using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Server;

/// <summary>BGREWRITEAOF</summary>
internal static class BgRewriteAof
{
    public static readonly CommandRow Row = new("bgrewriteaof", 1,
        CommandFlags.Admin | CommandFlags.NoScript | CommandFlags.NoAsyncLoading | CommandFlags.AllShards,
        KeySpec.None, Execute)
    {
        Group = CommandGroup.Server,
        Since = "1.0.0",
        Summary = "Writes the append-only file anew, as short as the data allows, while the server goes on.",
        Complexity = "O(1), and O(N) in the background where N is the number of keys",
    };

    private static void Execute(CommandContext context)
    {
        var (rewrites, snapshots) = (context.Services.Rewrites, context.Services.Snapshots);
        if (rewrites.IsUnderWay)
        {
            context.Reply.Error("ERR Background append only file rewriting already in progress"u8);
        }
        else if (snapshots.UnderWayOrNext != null || context.IsInTransaction)
        {
            rewrites.Schedule();
            context.Reply.Simple("Background append only file rewriting scheduled"u8);
        }
        else
        {
            rewrites.Begin();
            context.Reply.Simple("Background append only file rewriting started"u8);
        }
    }
}
