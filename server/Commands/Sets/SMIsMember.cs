using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;
using Strata.Server.Resp;
using Strata.Storage.Collections.Sets;

namespace Strata.Server.Commands.Sets;

/// <summary>SMISMEMBER key member [member ...]</summary>
internal static class SMIsMember
{
    private const int FirstMember = 2;

    public static readonly CommandRow Row = new("smismember", -3, CommandFlags.ReadOnly | CommandFlags.Fast,
        KeySpec.One(KeyAccess.ReadOnly | KeyAccess.Access), Execute)
    {
        Group = CommandGroup.Set,
        Categories = AclCategories.Set,
        Since = "6.2.0",
        Summary = "Tells of several members whether a set has them.",
        Complexity = "O(N) for N members",
        Syntax = "key member [member ...]",
    };

    private static readonly AnswerArguments s_answer = static (context, in record, reply, first, end)
        => Answer(context, new SetReader(record), reply, first, end);

    private static void Execute(CommandContext context)
    {
        if (KeyPass.TryGoOn(context) || !SetAccess.TryRead(context, context.Key, out var set))
        {
            return;
        }

        if (set.IsEmpty || !ArgumentPass.Begins(context, FirstMember, s_answer))
        {
            context.Reply.Array(context.Count - FirstMember);
            Answer(context, set, context.Reply, FirstMember, context.Count);
        }
    }

    private static void Answer(CommandContext context, in SetReader set, ReplyWriter reply, int first, int end)
    {
        for (var i = first; i < end; i++)
        {
            reply.Integer(set.Contains(context.Argument(i)) ? 1 : 0);
        }
    }
}
