using Strata.Server.Clients;
using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Connection;

/// <summary>CLIENT NO-TOUCH &lt;ON | OFF&gt;</summary>
internal static class ClientNoTouch
{
    public static readonly CommandRow Row = new(
        "no-touch", 3, CommandFlags.NoScript | CommandFlags.Loading | CommandFlags.Stale, KeySpec.None, Execute)
    {
        Group = CommandGroup.Connection,
        Categories = AclCategories.Connection,
        Since = "7.2.0",
        Summary = "Lets the connection's reads leave no mark on keys, which eviction would go by.",
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

        context.Session.NoTouch = isOn;
        context.Reply.Ok();
    }
}
