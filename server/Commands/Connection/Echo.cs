using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Connection;

/// <summary>ECHO message</summary>
internal static class Echo
{
    public static readonly CommandRow Row = new(
        "echo", 2, CommandFlags.Loading | CommandFlags.Stale | CommandFlags.Fast, KeySpec.None, Execute)
    {
        Group = CommandGroup.Connection,
        Categories = AclCategories.Connection,
        Since = "1.0.0",
        Summary = "Answers its argument.",
        Complexity = "O(1)",
        Syntax = "message",
    };

    private static void Execute(CommandContext context) => Answer(context);

    /// <summary>Answers the argument, which stays in memory until that is done.</summary>
    public static void Answer(CommandContext context)
    {
        using var refusable = context.Reply.Refusable();
        context.Reply.Bulk(context.Argument(1));
    }
}
