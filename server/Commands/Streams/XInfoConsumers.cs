using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;

namespace Strata.Server.Commands.Streams;

/// <summary>XINFO CONSUMERS key group</summary>
internal static class XInfoConsumers
{
    public static readonly CommandRow Row = new("consumers", 4,
        CommandFlags.ReadOnly,
        new KeySpec(2, 2, 1, KeyAccess.ReadOnly | KeyAccess.Access), Execute)
    {
        Group = CommandGroup.Stream,
        Categories = AclCategories.Stream,
        Since = "5.0.0",
        Summary = "Tells of the consumers of a group.",
        Complexity = "O(N) with N consumers",
        Tips = ["nondeterministic_output"],
        Syntax = "key group",
    };

    private static void Execute(CommandContext context)
    {
        if (KeyPass.TryGoOn(context) || !XInfo.TryStream(context, out var stream))
        {
            return;
        }

        if (!stream.TryFindGroup(context.Argument(3), out var group))
        {
            GroupArguments.RefuseMissingGroup(context, group: 3, key: 2);
            return;
        }

        var consumers = new ConsumersReply(group, context.NowMs);
        if (KeyPass.IsLong(context, group.ConsumerCount))
        {
            ReplyPass.Begin(context, context.KeyAt(2), consumers);
            return;
        }

        while (consumers.TryWrite(context.Reply))
        {
        }
    }
}
