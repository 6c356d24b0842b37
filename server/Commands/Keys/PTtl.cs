using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Keys;

/// <summary>PTTL key</summary>
internal static class PTtl
{
    public static readonly CommandRow Row = new("pttl", 2,
        CommandFlags.ReadOnly | CommandFlags.Fast | CommandFlags.LeaseFree | CommandFlags.KeyOnly,
        KeySpec.One(KeyAccess.ReadOnly | KeyAccess.Access), Execute)
    {
        Group = CommandGroup.Generic,
        Categories = AclCategories.KeySpace,
        Since = "2.6.0",
        Summary = "Tells in how many milliseconds a key expires.",
        Complexity = "O(1)",
        Tips = ["nondeterministic_output"],
        Syntax = "key",
    };

    private static void Execute(CommandContext context)
        => RemainingTime.Reply(context, isAbsolute: false, inMilliseconds: true);
}
