using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Strings;

/// <summary>DECR key</summary>
internal static class Decr
{
    public static readonly CommandRow Row = new("decr", 2,
        CommandFlags.Write | CommandFlags.DenyOom | CommandFlags.Fast,
        KeySpec.One(KeyAccess.ReadWrite | KeyAccess.Access | KeyAccess.Update), Execute)
    {
        Group = CommandGroup.String,
        Categories = AclCategories.String,
        Since = "1.0.0",
        Summary = "Takes one from a string that is an integer; a missing key counts as 0.",
        Complexity = "O(1)",
        Syntax = "key",
    };

    private static void Execute(CommandContext context) => Counter.Add(context, -1);
}
