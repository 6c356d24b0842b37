using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Hashes;

/// <summary>HSET key field value [field value ...]</summary>
internal static class HSet
{
    public static readonly CommandRow Row = new("hset", -4,
        CommandFlags.Write | CommandFlags.DenyOom | CommandFlags.Fast,
        KeySpec.One(KeyAccess.ReadWrite | KeyAccess.Update), FieldsAndValues.Set)
    {
        Group = CommandGroup.Hash,
        Categories = AclCategories.Hash,
        Since = "2.0.0",
        Summary = "Sets fields of a hash; a missing key becomes one.",
        Complexity = "O(N) for N fields",
        Syntax = "key field value [field value ...]",
    };
}
