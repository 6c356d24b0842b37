using Strata.Server.Commands.Collections;
using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Lists;

/// <summary>LMPOP numkeys key [key ...] LEFT|RIGHT [COUNT count]</summary>
internal static class LMPop
{
    public static readonly CommandRow Row = new("lmpop", -4,
        CommandFlags.Write | CommandFlags.MovableKeys,
        KeySpec.Counted(1, KeyAccess.ReadWrite | KeyAccess.Access | KeyAccess.Delete), Execute)
    {
        Group = CommandGroup.List,
        Categories = AclCategories.List,
        Since = "7.0.0",
        Summary = "Gives and removes elements of the first of several lists that is there.",
        Complexity = "O(N+M) for N keys and M elements removed",
        Syntax = "numkeys key [key ...] <LEFT | RIGHT> [COUNT count]",
    };

    private static readonly PopAttempt<PopArguments> s_pop = ListAccess.PopFirst;

    private static void Execute(CommandContext context)
    {
        if (PopArguments.TryParse(context, 1, "left"u8, "right"u8, out var arguments))
        {
            FirstKeyPop.Execute(context, arguments, s_pop);
        }
    }
}
