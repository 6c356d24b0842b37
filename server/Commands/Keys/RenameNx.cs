using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Keys;

/// <summary>RENAMENX key newkey</summary>
internal static class RenameNx
{
    public static readonly CommandRow Row = new("renamenx", 3,
        CommandFlags.Write | CommandFlags.Fast,
        KeySpec.One(KeyAccess.ReadWrite | KeyAccess.Access | KeyAccess.Delete), Execute)
    {
        Group = CommandGroup.Generic,
        Categories = AclCategories.KeySpace,
        Since = "1.0.0",
        Summary = "Gives a value another key if that key does not exist.",
        Differs = Renaming.Differs,
        Complexity = "O(N) where N is the size of the value",
        Syntax = "key newkey",
        SecondKeys = new KeySpec(2, 2, 1, KeyAccess.Overwrite | KeyAccess.Insert),
    };

    private static void Execute(CommandContext context)
        => Renaming.Execute(context, onlyIfMissing: true);
}
