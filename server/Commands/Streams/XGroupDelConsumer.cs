using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;
using Strata.Storage.Changes;
using Strata.Storage.Collections.Streams;

namespace Strata.Server.Commands.Streams;

/// <summary>XGROUP DELCONSUMER key group consumer</summary>
internal static class XGroupDelConsumer
{
    public static readonly CommandRow Row = new("delconsumer", 5,
        CommandFlags.Write,
        new KeySpec(2, 2, 1, KeyAccess.ReadWrite | KeyAccess.Delete), Execute)
    {
        Group = CommandGroup.Stream,
        Categories = AclCategories.Stream,
        Since = "5.0.0",
        Summary = "Removes a consumer of a group, with what is pending for it.",
        Complexity = "O(log(N)+M) with N consumers of the group and M entries pending for this one",
        Syntax = "key group consumer",
    };

    /// <summary>Index of the consumer's name.</summary>
    public const int Consumer = 4;

    private static void Execute(CommandContext context)
    {
        if (KeyPass.TryGoOn(context)
            || !GroupArguments.TryGroup(context, context.KeyAt(2), out var stream, out var group))
        {
            return;
        }

        var pending = 0L;
        if (group.TryFindConsumer(context.Argument(Consumer), out var consumer))
        {
            if (GroupPass<ConsumerRemovalWork>.IsLong(context, consumer.PendingCount, GroupCopy.EffortOf(group)))
            {
                GroupPass<ConsumerRemovalWork>.Begin(context, group: 3, new(consumer.PendingCount));
                return;
            }

            pending = stream.DeleteConsumer(consumer);
            stream.End(context.Change(KeyEvent.XGroupDelConsumer));
        }

        context.Reply.Integer(pending);
    }
}
