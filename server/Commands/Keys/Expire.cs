using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Keys;

/// <summary>EXPIRE key seconds [NX | XX | GT | LT]</summary>
internal static class Expire
{
    public static readonly CommandRow Row = new("expire", -3,
        CommandFlags.Write | CommandFlags.Fast,
        KeySpec.One(KeyAccess.ReadWrite | KeyAccess.Update), Execute)
    {
        Group = CommandGroup.Generic,
        Categories = AclCategories.KeySpace,
        Since = "1.0.0",
        Summary = "Lets a key expire in a number of seconds.",
        Complexity = "O(1)",
        Syntax = "key seconds [NX|XX|GT|LT]",
    };

    private static void Execute(CommandContext context)
        => Expiration.Execute(context, inSeconds: true, isAbsolute: false);
}
