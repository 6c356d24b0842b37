using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Hashes;

/// <summary>HMSET key field value [field value ...]</summary>
internal static class HMSet
{
    public static readonly CommandRow Row = new("hmset", -4,
        CommandFlags.Write | CommandFlags.DenyOom | CommandFlags.Fast,
        KeySpec.One(KeyAccess.ReadWrite | KeyAccess.Update), FieldsAndValues.Set)
    {
        Group = CommandGroup.Hash,
        Categories = AclCategories.Hash,
        Since = "2.0.0",
        Summary = "Sets fields of a hash and answers OK.",
        Complexity = "O(N) for N fields",
        Syntax = "key field value [field value ...]",
        DeprecatedSince = "4.0.0",
        ReplacedBy = "`HSET` with multiple field-value pairs",
    };
}
