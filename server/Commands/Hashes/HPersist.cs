using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Hashes;

/// <summary>HPERSIST key FIELDS numfields field [field ...]</summary>
internal static class HPersist
{
    public static readonly CommandRow Row = new("hpersist", -5, CommandFlags.Write | CommandFlags.Fast,
        KeySpec.One(KeyAccess.ReadWrite | KeyAccess.Update), FieldExpiration.Persist)
    {
        Group = CommandGroup.Hash,
        Categories = AclCategories.Hash,
        Since = "7.4.0",
        Summary = "Lets fields of a hash expire no more.",
        Complexity = "O(N log M) for N fields of a hash with M that expire",
        Syntax = "key FIELDS numfields field [field ...]",
    };
}
