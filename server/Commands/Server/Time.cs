using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Server;

/// <summary>TIME</summary>
internal static class Time
{
    public static readonly CommandRow Row = new("time", 1,
        CommandFlags.Loading | CommandFlags.Stale | CommandFlags.Fast, KeySpec.None, Execute)
    {
        Group = CommandGroup.Server,
        Since = "2.6.0",
        Summary = "Tells the server's clock: seconds since 1970, and microseconds of the current second.",
        Complexity = "O(1)",
        Tips = ["nondeterministic_output"],
    };

    private static void Execute(CommandContext context)
    {
        var microseconds = (context.Clock.GetUtcNow() - DateTimeOffset.UnixEpoch).Ticks / TimeSpan.TicksPerMicrosecond;
        context.Reply.Array(2);
        context.Reply.BulkInteger(microseconds / 1_000_000);
        context.Reply.BulkInteger(microseconds % 1_000_000);
    }
}
