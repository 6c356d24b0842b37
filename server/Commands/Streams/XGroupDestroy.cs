using Strata.Server.Commands.Model;
using Strata.Storage.Changes;

namespace Strata.Server.Commands.Streams;

/// <summary>XGROUP DESTROY key group</summary>
internal static class XGroupDestroy
{
    public static readonly CommandRow Row = new("destroy", 4,
        CommandFlags.Write,
        new KeySpec(2, 2, 1, KeyAccess.ReadWrite | KeyAccess.Delete), Execute)
    {
        Group = CommandGroup.Stream,
        Categories = AclCategories.Stream,
        Since = "5.0.0",
        Summary = "Removes a group with its consumers and what is pending.",
        Complexity = "O(log(N)) with N groups; the memory is freed later",
        Syntax = "key group",
    };

    private static void Execute(CommandContext context)
    {
        if (!GroupArguments.TryStream(context, context.KeyAt(2), out var stream))
        {
            return;
        }

        if (stream.Read().TryFindGroup(context.Argument(3), out var group))
        {
            stream.DestroyGroup(group);
            stream.End(context.Change(KeyEvent.XGroupDestroy));
            context.Reply.Integer(1);
        }
        else
        {
            context.Reply.Integer(0);
        }
    }
}
