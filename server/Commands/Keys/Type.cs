using Strata.Server.Commands.Model;
using Strata.Storage.Collections;

namespace Strata.Server.Commands.Keys;

/// <summary>TYPE key</summary>
internal static class Type
{
    public static readonly CommandRow Row = new("type", 2,
        CommandFlags.ReadOnly | CommandFlags.Fast | CommandFlags.LeaseFree | CommandFlags.KeyOnly,
        KeySpec.One(KeyAccess.ReadOnly), Execute)
    {
        Group = CommandGroup.Generic,
        Categories = AclCategories.KeySpace,
        Since = "1.0.0",
        Summary = "Tells the type of a key's value.",
        Complexity = "O(1)",
        Syntax = "key",
    };

    private static void Execute(CommandContext context)
        => context.Reply.Simple(
            context.TryInspect(context.Key, out var record) ? TypeInfo.Of(record.Type).Name : "none"u8);
}
