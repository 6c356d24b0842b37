using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Keys;

/// <summary>PEXPIRE key milliseconds [NX | XX | GT | LT]</summary>
internal static class PExpire
{
    public static readonly CommandRow Row = new("pexpire", -3,
        CommandFlags.Write | CommandFlags.Fast,
        KeySpec.One(KeyAccess.ReadWrite | KeyAccess.Update), Execute)
    {
        Group = CommandGroup.Generic,
        Categories = AclCategories.KeySpace,
        Since = "2.6.0",
        Summary = "Lets a key expire in a number of milliseconds.",
        Complexity = "O(1)",
        Syntax = "key milliseconds [NX|XX|GT|LT]",
    };

    private static void Execute(CommandContext context)
        => Expiration.Execute(context, inSeconds: false, isAbsolute: false);
}
