using Strata.Server.Clients;
using Strata.Server.Commands.Model;
using Strata.Storage.Changes;

namespace Strata.Server.Commands.Streams;

/// <summary>XGROUP CREATECONSUMER key group consumer</summary>
internal static class XGroupCreateConsumer
{
    public static readonly CommandRow Row = new("createconsumer", 5,
        CommandFlags.Write | CommandFlags.DenyOom,
        new KeySpec(2, 2, 1, KeyAccess.ReadWrite | KeyAccess.Insert), Execute)
    {
        Group = CommandGroup.Stream,
        Categories = AclCategories.Stream,
        Since = "6.2.0",
        Summary = "Makes a consumer of a group.",
        Complexity = "O(log(N)) with N consumers of the group",
        Syntax = "key group consumer",
    };

    private static void Execute(CommandContext context)
    {
        if (!GroupArguments.TryGroup(context, context.KeyAt(2), out var stream, out var group))
        {
            return;
        }

        var isNew = stream.Edit(group).TryCreateConsumer(context.Argument(4), context.ClockMs, out _);
        if (isNew)
        {
            stream.End(context.Change(KeyEvent.XGroupCreateConsumer));
        }

        context.Reply.Integer(isNew ? 1 : 0);
    }
}
