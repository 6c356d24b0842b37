using Strata.Server.Clients;
using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Connection;

/// <summary>CLIENT REPLY &lt;ON | OFF | SKIP&gt;</summary>
internal static class ClientReply
{
    public static readonly CommandRow Row = new(
        "reply", 3, CommandFlags.NoScript | CommandFlags.Loading | CommandFlags.Stale, KeySpec.None, Execute)
    {
        Group = CommandGroup.Connection,
        Categories = AclCategories.Connection,
        Since = "3.2.0",
        Summary = "Switches the connection's replies on or off, or leaves out the next one.",
        Complexity = "O(1)",
        Syntax = "<ON | OFF | SKIP>",
    };

    private static void Execute(CommandContext context)
    {
        if (context.IsWord(2, "on"u8))
        {
            context.Session.SetReplies(ReplyMode.On);
            context.Reply.Ok();
        }
        else if (context.IsWord(2, "off"u8))
        {
            context.Session.SetReplies(ReplyMode.Off);
        }
        else if (context.IsWord(2, "skip"u8))
        {
            context.Session.SkipNextReply();
        }
        else
        {
            context.Reply.Error(Errors.Syntax);
        }
    }
}
