using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Keys;

/// <summary>OBJECT REFCOUNT key</summary>
internal static class ObjectRefCount
{
    public static readonly CommandRow Row = new(
        "refcount", 3, CommandFlags.ReadOnly | CommandFlags.KeyOnly,
        new KeySpec(2, 2, 1, KeyAccess.ReadOnly), Execute)
    {
        Group = CommandGroup.Generic,
        Categories = AclCategories.KeySpace,
        Since = "2.2.3",
        Summary = "Counts the references to a value; values are never shared, so it is 1.",
        Differs = "Always 1, since no value is shared, as small integers are in Redis.",
        Complexity = "O(1)",
        Tips = ["nondeterministic_output"],
        Syntax = "key",
    };

    private static void Execute(CommandContext context)
    {
        if (context.TryExamine(context.KeyAt(2), out _))
        {
            context.Reply.Integer(1);
        }
        else
        {
            context.Reply.Null();
        }
    }
}
