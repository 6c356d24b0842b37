using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Keys;

/// <summary>RENAME key newkey</summary>
internal static class Rename
{
    public static readonly CommandRow Row = new("rename", 3,
        CommandFlags.Write,
        KeySpec.One(KeyAccess.ReadWrite | KeyAccess.Access | KeyAccess.Delete), Execute)
    {
        Group = CommandGroup.Generic,
        Categories = AclCategories.KeySpace,
        Since = "1.0.0",
        Summary = "Gives a value another key, whatever that key held before.",
        Differs = Renaming.Differs,
        Complexity = "O(N) where N is the size of the value",
        Syntax = "key newkey",
        SecondKeys = new KeySpec(2, 2, 1, KeyAccess.Overwrite | KeyAccess.Update),
    };

    private static void Execute(CommandContext context)
        => Renaming.Execute(context, onlyIfMissing: false);
}
