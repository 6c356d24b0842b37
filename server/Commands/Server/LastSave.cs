using Strata.Server.Clients;
using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Server;

/// <summary>LASTSAVE</summary>
internal static class LastSave
{
    public static readonly CommandRow Row = new("lastsave", 1,
        CommandFlags.Loading | CommandFlags.Stale | CommandFlags.Fast, KeySpec.None, Execute)
    {
        Group = CommandGroup.Server,
        Categories = AclCategories.Admin | AclCategories.Dangerous,
        Since = "1.0.0",
        Summary = "Tells when the data was last saved, or the server started, in seconds since 1970.",
        Complexity = "O(1)",
        Tips = ["nondeterministic_output"],
    };

    private static void Execute(CommandContext context)
        => context.Reply.Integer(context.Services.Snapshots.History.LastSaveMs / 1000);
}
