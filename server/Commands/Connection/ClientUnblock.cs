namespace Strata.Server.Commands.Connection;

/// <summary>CLIENT UNBLOCK client-id [TIMEOUT | ERROR]</summary>
internal static class ClientUnblock
{
    public static readonly CommandRow Row = new(
        "unblock",
        -3,
        CommandFlags.Admin | CommandFlags.NoScript | CommandFlags.Loading | CommandFlags.Stale,
        KeySpec.None,
        Execute)
    {
        Group = CommandGroup.Connection,
        Categories = AclCategories.Connection,
        Since = "5.0.0",
        Summary = "Ends a client's blocking command as if its timeout had come, or with an error.",
        Complexity = "O(log N) where N is the number of client connections",
        Syntax = "client-id [TIMEOUT | ERROR]",
    };

    private static void Execute(CommandContext context)
    {
        if (context.Count > 4)
        {
            SubcommandSyntax.Refuse(context);
        }
        else if (context.Count == 4 && !context.IsWord(3, "timeout"u8) && !context.IsWord(3, "error"u8))
        {
            context.Reply.Error("ERR CLIENT UNBLOCK reason should be TIMEOUT or ERROR"u8);
        }
        else if (context.TryInteger(2, out _))
        {
            // None of the server's commands blocks, so there is no client that this could unblock.
            context.Reply.Integer(0);
        }
    }
}
