using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;
using Strata.Server.Resp;
using Strata.Storage.Collections.Hashes;

namespace Strata.Server.Commands.Hashes;

/// <summary>HMGET key field [field ...]</summary>
internal static class HMGet
{
    private const int FirstField = 2;

    public static readonly CommandRow Row = new("hmget", -3, CommandFlags.ReadOnly | CommandFlags.Fast,
        KeySpec.One(KeyAccess.ReadOnly | KeyAccess.Access), Execute)
    {
        Group = CommandGroup.Hash,
        Categories = AclCategories.Hash,
        Since = "2.0.0",
        Summary = "Gives the values of several fields.",
        Complexity = "O(N) for N fields",
        Syntax = "key field [field ...]",
    };

    private static readonly AnswerArguments s_answer = static (context, in record, reply, first, end)
        => Answer(context, record.IsNull ? default : new HashReader(record, context.NowMs), reply, first, end);

    private static void Execute(CommandContext context)
    {
        if (KeyPass.TryGoOn(context) || !HashAccess.TryRead(context, out var hash))
        {
            return;
        }

        if (!ArgumentPass.Begins(context, FirstField, s_answer))
        {
            context.Reply.Array(context.Count - FirstField);
            Answer(context, hash, context.Reply, FirstField, context.Count);
        }
    }

    private static void Answer(CommandContext context, HashReader hash, ReplyWriter reply, int first, int end)
    {
        for (var i = first; i < end; i++)
        {
            if (hash.TryGet(context.Argument(i), out var value))
            {
                reply.Bulk(value);
            }
            else
            {
                reply.Null();
            }
        }
    }
}
