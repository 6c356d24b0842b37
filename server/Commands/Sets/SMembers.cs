using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;

namespace Strata.Server.Commands.Sets;

/// <summary>SMEMBERS key</summary>
internal static class SMembers
{
    public static readonly CommandRow Row = new("smembers", 2, CommandFlags.ReadOnly | CommandFlags.Heavy,
        KeySpec.One(KeyAccess.ReadOnly | KeyAccess.Access), Execute)
    {
        Group = CommandGroup.Set,
        Categories = AclCategories.Set,
        Since = "1.0.0",
        Summary = "Gives all members of a set.",
        Complexity = "O(N) for N members",
        Tips = ["nondeterministic_output_order"],
        Syntax = "key",
    };

    private static void Execute(CommandContext context)
    {
        if (KeyPass.TryGoOn(context) || !SetAccess.TryRead(context, context.Key, out var set))
        {
            return;
        }

        if (KeyPass.IsLong(context, set.Count, set.Count, set.LargeBytes))
        {
            _ = context.TryPeek(context.Key, out var record);
            ReplyPass.Begin(context, context.Key, new MemberReply(record));
        }
        else
        {
            context.Reply.Set(set.Count);
            foreach (var member in set)
            {
                context.Reply.Bulk(member);
            }
        }
    }
}
