using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Strings;

/// <summary>INCRBY key increment</summary>
internal static class IncrBy
{
    public static readonly CommandRow Row = new("incrby", 3,
        CommandFlags.Write | CommandFlags.DenyOom | CommandFlags.Fast,
        KeySpec.One(KeyAccess.ReadWrite | KeyAccess.Access | KeyAccess.Update), Execute)
    {
        Group = CommandGroup.String,
        Categories = AclCategories.String,
        Since = "1.0.0",
        Summary = "Adds a number to a string that is an integer; a missing key counts as 0.",
        Complexity = "O(1)",
        Syntax = "key increment",
    };

    private static void Execute(CommandContext context)
    {
        if (context.TryInteger(2, out var increment))
        {
            Counter.Add(context, increment);
        }
    }
}
