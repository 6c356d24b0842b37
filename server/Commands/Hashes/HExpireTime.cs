using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Hashes;

/// <summary>HEXPIRETIME key FIELDS numfields field [field ...]</summary>
internal static class HExpireTime
{
    public static readonly CommandRow Row = new("hexpiretime", -5, CommandFlags.ReadOnly | CommandFlags.Fast,
        KeySpec.One(KeyAccess.ReadOnly | KeyAccess.Access), Execute)
    {
        Group = CommandGroup.Hash,
        Categories = AclCategories.Hash,
        Since = "7.4.0",
        Summary = "Tells at which Unix time in seconds fields of a hash expire.",
        Complexity = "O(N log M) for N fields of a hash with M that expire",
        Syntax = "key FIELDS numfields field [field ...]",
    };

    private static void Execute(CommandContext context)
        => FieldTime.Execute(context, isAbsolute: true, inMilliseconds: false);
}
