using Strata.Server.Clients;
using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Connection;

/// <summary>CLIENT NO-EVICT &lt;ON | OFF&gt;</summary>
internal static class ClientNoEvict
{
    public static readonly CommandRow Row = new(
        "no-evict",
        3,
        CommandFlags.Admin | CommandFlags.NoScript | CommandFlags.Loading | CommandFlags.Stale,
        KeySpec.None,
        Execute)
    {
        Group = CommandGroup.Connection,
        Categories = AclCategories.Connection,
        Since = "7.0.0",
        Summary = "Marks the connection as one that must not be closed to save memory.",
        Differs = "Shows in the flags of CLIENT LIST and has no other effect: when memory is at its end "
            + "all clients are closed that do not read, as by client-output-buffer-limit.",
        Complexity = "O(1)",
        Syntax = "<ON | OFF>",
    };

    private static void Execute(CommandContext context)
    {
        var isOn = context.IsWord(2, "on"u8);
        if (!isOn && !context.IsWord(2, "off"u8))
        {
            context.Reply.Error(Errors.Syntax);
            return;
        }

        context.Session.NoEvict = isOn;
        context.Reply.Ok();
    }
}
