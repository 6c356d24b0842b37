using Strata.Server.Commands.Model;
using Strata.Storage.Changes;
using Strata.Storage.Collections.Streams;

namespace Strata.Server.Commands.Streams;

/// <summary>XACK key group id [id ...]</summary>
internal static class XAck
{
    public static readonly CommandRow Row = new("xack", -4,
        CommandFlags.Write | CommandFlags.Fast,
        KeySpec.One(KeyAccess.ReadWrite | KeyAccess.Update), Execute)
    {
        Group = CommandGroup.Stream,
        Categories = AclCategories.Stream,
        Since = "5.0.0",
        Summary = "Acknowledges entries: they are pending in their group no more.",
        Complexity = "O(log(N)) for each id, with N entries pending",
        Syntax = "key group id [id ...]",
    };

    private static void Execute(CommandContext context)
    {
        StreamGroup group = default;
        var lookup = StreamAccess.EditRead(context, context.Key, out var stream);
        if (lookup == Lookup.WrongType)
        {
            return;
        }

        if (lookup == Lookup.Missing || !stream.Read().TryFindGroup(context.Argument(2), out group))
        {
            context.Reply.Integer(0);
            return;
        }

        if (!StreamArguments.AreIds(context, 3))
        {
            return;
        }

        var acknowledged = 0;
        for (var i = 3; i < context.Count; i++)
        {
            acknowledged += stream.RemovePending(group, StreamArguments.IdAt(context, i)) ? 1 : 0;
        }

        if (acknowledged > 0)
        {
            stream.End(context.Change(KeyEvent.Pending));
        }

        context.Reply.Integer(acknowledged);
    }
}
