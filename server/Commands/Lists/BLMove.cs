using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Lists;

/// <summary>BLMOVE source destination &lt;LEFT | RIGHT&gt; &lt;LEFT | RIGHT&gt; timeout</summary>
internal static class BLMove
{
    public static readonly CommandRow Row = new("blmove", 6,
        CommandFlags.Write | CommandFlags.DenyOom | CommandFlags.Blocking,
        KeySpec.One(KeyAccess.ReadWrite | KeyAccess.Access | KeyAccess.Delete), Execute)
    {
        Group = CommandGroup.List,
        Categories = AclCategories.List,
        Since = "6.2.0",
        Summary = "Takes an element from one list, puts it into another, and gives it, or waits for one.",
        Complexity = "O(1)",
        Syntax = "source destination <LEFT | RIGHT> <LEFT | RIGHT> timeout",
        Differs = BlockingListMove.Differs,
        SecondKeys = new KeySpec(2, 2, 1, KeyAccess.ReadWrite | KeyAccess.Insert),
    };

    private static void Execute(CommandContext context)
    {
        if (ListAccess.TryReadEnd(context, 3, out var from) && ListAccess.TryReadEnd(context, 4, out var to))
        {
            BlockingListMove.Execute(context, from, to, timeoutIndex: 5);
        }
    }
}
