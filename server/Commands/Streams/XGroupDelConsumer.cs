using Strata.Server.Commands.Model;
using Strata.Storage.Changes;

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

    private static void Execute(CommandContext context)
    {
        if (!GroupArguments.TryGroup(context, context.KeyAt(2), out var stream, out var group))
        {
            return;
        }

        var pending = 0L;
        if (group.TryFindConsumer(context.Argument(4), out var consumer))
        {
            pending = stream.DeleteConsumer(consumer);
            stream.End(context.Change(KeyEvent.XGroupDelConsumer));
        }

        context.Reply.Integer(pending);
    }
}
