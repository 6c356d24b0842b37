using System.Runtime.CompilerServices;
using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;
using Strata.Server.Resp;
using Strata.Storage.Index;

namespace Strata.Server.Commands.Strings;

/// <summary>MGET key [key ...]</summary>
internal static class MGet
{
    public static readonly CommandRow Row = new("mget", -2,
        CommandFlags.ReadOnly | CommandFlags.Fast | CommandFlags.LeaseFree,
        KeySpec.All(KeyAccess.ReadOnly | KeyAccess.Access), Execute)
    {
        HoldsOneByOne = true,
        ArgumentsAtOnce = ServerLimits.StringsAtOnce,
        Group = CommandGroup.String,
        Categories = AclCategories.String,
        Since = "1.0.0",
        Summary = "Gives the values of several strings.",
        Complexity = "O(N) for N keys",
        Tips = ["request_policy:multi_shard"],
        Syntax = "key [key ...]",
    };

    private static void Execute(CommandContext context)
    {
        if (EachKeyPass.Executes(context, static context => new ValuesPass(context)))
        {
            return;
        }

        context.Reply.Array(context.Count - 1);
        foreach (var key in context.KeysFrom(1))
        {
            WriteValue(context, context.Reply, key);
        }
    }

    /// <summary>Writes the value of a key, or that it has none.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void WriteValue(CommandContext context, ReplyWriter reply, in Key key)
    {
        // What is answered while some is on the device is thrown away: nothing large is copied for it.
        if (context.ReadString(key, out var record) == Lookup.Found && context.HasSeenAll)
        {
            reply.Bulk(record.Value);
        }
        else
        {
            reply.Null();
        }
    }
}
