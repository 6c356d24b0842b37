using Strata.Server.Clients;
using Strata.Server.Commands.Model;
using Strata.Server.Persistence;

namespace Strata.Server.Commands.Server;

/// <summary>BGSAVE [SCHEDULE]</summary>
internal static class BgSave
{
    public static readonly CommandRow Row = new("bgsave", -1,
        CommandFlags.Admin | CommandFlags.NoScript | CommandFlags.NoAsyncLoading | CommandFlags.AllShards,
        KeySpec.None, Execute)
    {
        Group = CommandGroup.Server,
        Since = "1.0.0",
        Summary = "Saves the data as it is now, while the server goes on.",
        Complexity = "O(1), and O(N) in the background where N is the number of keys",
        Syntax = "[SCHEDULE]",
    };

    /// <summary>The error where a snapshot is under way.</summary>
    public static ReadOnlySpan<byte> UnderWay => "ERR Background save already in progress"u8;

    private static void Execute(CommandContext context)
    {
        var isScheduled = context.Count == 2 && context.IsWord(1, "schedule"u8);
        if (context.Count > 1 && !isScheduled)
        {
            context.Reply.Error(Errors.Syntax);
            return;
        }

        var snapshots = context.Services.Snapshots;
        var underWay = snapshots.UnderWayOrNext;
        if (underWay is SnapshotKind.Background or SnapshotKind.Final
            || snapshots.IsWaiting(SnapshotKind.Background))
        {
            context.Reply.Error(UnderWay);
        }
        else if (underWay is null or SnapshotKind.Foreground && !context.IsInTransaction)
        {
            snapshots.Begin(snapshots.ToFile(SnapshotKind.Background));
            context.Reply.Simple("Background saving started"u8);
        }
        else if (isScheduled || context.IsInTransaction)
        {
            snapshots.ScheduleBackground();
            context.Reply.Simple("Background saving scheduled"u8);
        }
        else
        {
            context.Reply.Error("ERR Another child process is active (AOF?): can't BGSAVE right now. Use BGSAVE "
                + "SCHEDULE in order to schedule a BGSAVE whenever possible.");
        }
    }
}
