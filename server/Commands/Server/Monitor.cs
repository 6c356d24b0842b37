using Strata.Server.Clients;
using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Server;

/// <summary>MONITOR</summary>
internal static class Monitor
{
    public static readonly CommandRow Row = new(
        "monitor",
        1,
        CommandFlags.Admin | CommandFlags.NoScript | CommandFlags.Loading | CommandFlags.Stale,
        KeySpec.None,
        Execute)
    {
        Group = CommandGroup.Server,
        Since = "1.0.0",
        Summary = "Sends this connection a line about every command that is executed from then on.",
        Differs = "Commands of different connections, which several threads execute, may be shown in another order.",
        Complexity = "",
    };

    private static void Execute(CommandContext context)
    {
        var session = context.Session;
        if (session.IsMonitor)
        {
            return; // As in Redis, the second MONITOR is not answered.
        }

        session.BecomeMonitor();
        ClientGates.AdoptEverywhere(session);
    }
}
