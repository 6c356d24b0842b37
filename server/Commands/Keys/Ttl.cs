using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Keys;

/// <summary>TTL key</summary>
internal static class Ttl
{
    public static readonly CommandRow Row = new("ttl", 2,
        CommandFlags.ReadOnly | CommandFlags.Fast | CommandFlags.LeaseFree | CommandFlags.KeyOnly,
        KeySpec.One(KeyAccess.ReadOnly | KeyAccess.Access), Execute)
    {
        Group = CommandGroup.Generic,
        Categories = AclCategories.KeySpace,
        Since = "1.0.0",
        Summary = "Tells in how many seconds a key expires.",
        Complexity = "O(1)",
        Tips = ["nondeterministic_output"],
        Syntax = "key",
    };

    private static void Execute(CommandContext context)
        => RemainingTime.Reply(context, isAbsolute: false, inMilliseconds: false);
}
