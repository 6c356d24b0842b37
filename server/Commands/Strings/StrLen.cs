using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Strings;

/// <summary>STRLEN key</summary>
internal static class StrLen
{
    public static readonly CommandRow Row = new("strlen", 2,
        CommandFlags.ReadOnly | CommandFlags.Fast | CommandFlags.LeaseFree | CommandFlags.KeyOnly,
        KeySpec.One(KeyAccess.ReadOnly), Execute)
    {
        Group = CommandGroup.String,
        Categories = AclCategories.String,
        Since = "2.2.0",
        Summary = "Gives a string's length in bytes.",
        Complexity = "O(1)",
        Syntax = "key",
    };

    private static void Execute(CommandContext context)
    {
        if (context.ReadString(context.Key, out var record) == Lookup.WrongType)
        {
            context.Reply.Error(Errors.WrongType);
        }
        else
        {
            context.Reply.Integer(record.ValueLength); // That of a null record is 0.
        }
    }
}
