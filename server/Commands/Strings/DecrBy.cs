using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Strings;

/// <summary>DECRBY key decrement</summary>
internal static class DecrBy
{
    public static readonly CommandRow Row = new("decrby", 3,
        CommandFlags.Write | CommandFlags.DenyOom | CommandFlags.Fast,
        KeySpec.One(KeyAccess.ReadWrite | KeyAccess.Access | KeyAccess.Update), Execute)
    {
        Group = CommandGroup.String,
        Categories = AclCategories.String,
        Since = "1.0.0",
        Summary = "Takes a number from a string that is an integer; a missing key counts as 0.",
        Complexity = "O(1)",
        Syntax = "key decrement",
    };

    private static void Execute(CommandContext context)
    {
        if (!context.TryInteger(2, out var decrement))
        {
            return;
        }

        if (decrement == long.MinValue)
        {
            context.Reply.Error("ERR decrement would overflow"u8); // It has no opposite.
            return;
        }

        Counter.Add(context, -decrement);
    }
}
