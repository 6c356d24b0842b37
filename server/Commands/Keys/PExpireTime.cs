using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Keys;

/// <summary>PEXPIRETIME key</summary>
internal static class PExpireTime
{
    public static readonly CommandRow Row = new("pexpiretime", 2,
        CommandFlags.ReadOnly | CommandFlags.Fast | CommandFlags.LeaseFree | CommandFlags.KeyOnly,
        KeySpec.One(KeyAccess.ReadOnly | KeyAccess.Access), Execute)
    {
        Group = CommandGroup.Generic,
        Categories = AclCategories.KeySpace,
        Since = "7.0.0",
        Summary = "Tells when a key expires, in milliseconds since 1970.",
        Complexity = "O(1)",
        Syntax = "key",
    };

    private static void Execute(CommandContext context)
        => RemainingTime.Reply(context, isAbsolute: true, inMilliseconds: true);
}
