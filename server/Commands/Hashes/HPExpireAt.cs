using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Hashes;

/// <summary>HPEXPIREAT key unix-time-milliseconds [NX | XX | GT | LT] FIELDS numfields field [field ...]</summary>
internal static class HPExpireAt
{
    public static readonly CommandRow Row = new("hpexpireat", -6,
        CommandFlags.Write | CommandFlags.DenyOom | CommandFlags.Fast,
        KeySpec.One(KeyAccess.ReadWrite | KeyAccess.Update), Execute)
    {
        Group = CommandGroup.Hash,
        Categories = AclCategories.Hash,
        Since = "7.4.0",
        Summary = "Lets fields of a hash expire at a Unix time in milliseconds.",
        Complexity = "O(N log M) for N fields of a hash with M that expire",
        Syntax =
            "key unix-time-milliseconds [NX | XX | GT | LT] FIELDS numfields field [field ...]",
    };

    private static void Execute(CommandContext context)
        => FieldExpiration.Execute(context, inSeconds: false, isAbsolute: true);
}
