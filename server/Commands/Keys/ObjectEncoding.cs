using Strata.Server.Commands.Model;
using Strata.Storage.Collections;

namespace Strata.Server.Commands.Keys;

/// <summary>OBJECT ENCODING key</summary>
/// <remarks>A record holds any string the same way. The answer is what Redis's would be: programs decide by it how to
/// read or measure a value.</remarks>
internal static class ObjectEncoding
{
    public static readonly CommandRow Row = new("encoding", 3, CommandFlags.ReadOnly,
        new KeySpec(2, 2, 1, KeyAccess.ReadOnly), Execute)
    {
        Group = CommandGroup.Generic,
        Categories = AclCategories.KeySpace,
        Since = "2.2.3",
        Summary = "Tells how a value is stored, in Redis's terms.",
        Differs = "Answers the form that Redis's rules give, but SORT does not make a skiplist of a listpack.",
        Complexity = "O(1)",
        Tips = ["nondeterministic_output"],
        Syntax = "key",
    };

    private static void Execute(CommandContext context)
    {
        if (!context.TryExamine(context.KeyAt(2), out var record))
        {
            context.Reply.Null();
            return;
        }

        context.Reply.Bulk(TypeInfo.Of(record.Type).EncodingOf(record));
    }
}
