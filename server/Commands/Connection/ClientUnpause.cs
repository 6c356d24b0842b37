using Strata.Server.Clients;
using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Connection;

/// <summary>CLIENT UNPAUSE</summary>
internal static class ClientUnpause
{
    public static readonly CommandRow Row = new(
        "unpause",
        2,
        CommandFlags.Admin | CommandFlags.NoScript | CommandFlags.Loading | CommandFlags.Stale,
        KeySpec.None,
        Execute)
    {
        Group = CommandGroup.Connection,
        Categories = AclCategories.Connection,
        Since = "6.2.0",
        Summary = "Ends CLIENT PAUSE.",
        Complexity = "O(N) Where N is the number of paused clients",
    };

    private static void Execute(CommandContext context)
    {
        context.Services.Gates.EndPause();
        ClientGates.AdoptEverywhere(context.Session);
    }
}
