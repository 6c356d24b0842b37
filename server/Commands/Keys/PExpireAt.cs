using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Keys;

/// <summary>PEXPIREAT key unix-time-milliseconds [NX | XX | GT | LT]</summary>
internal static class PExpireAt
{
    public static readonly CommandRow Row = new("pexpireat", -3,
        CommandFlags.Write | CommandFlags.Fast,
        KeySpec.One(KeyAccess.ReadWrite | KeyAccess.Update), Execute)
    {
        Group = CommandGroup.Generic,
        Categories = AclCategories.KeySpace,
        Since = "2.6.0",
        Summary = "Lets a key expire at a time in milliseconds since 1970.",
        Complexity = "O(1)",
        Syntax = "key unix-time-milliseconds [NX|XX|GT|LT]",
    };

    private static void Execute(CommandContext context)
        => Expiration.Execute(context, inSeconds: false, isAbsolute: true);
}
