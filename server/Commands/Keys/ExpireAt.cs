using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Keys;

/// <summary>EXPIREAT key unix-time-seconds [NX | XX | GT | LT]</summary>
internal static class ExpireAt
{
    public static readonly CommandRow Row = new("expireat", -3,
        CommandFlags.Write | CommandFlags.Fast,
        KeySpec.One(KeyAccess.ReadWrite | KeyAccess.Update), Execute)
    {
        Group = CommandGroup.Generic,
        Categories = AclCategories.KeySpace,
        Since = "1.2.0",
        Summary = "Lets a key expire at a time in seconds since 1970.",
        Complexity = "O(1)",
        Syntax = "key unix-time-seconds [NX|XX|GT|LT]",
    };

    private static void Execute(CommandContext context)
        => Expiration.Execute(context, inSeconds: true, isAbsolute: true);
}
