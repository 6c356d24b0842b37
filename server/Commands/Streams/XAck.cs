using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;
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
        if (KeyPass.TryGoOn(context))
        {
            return;
        }

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

        if (!StreamArguments.AreIds(context, AckWork.FirstId))
        {
            return;
        }

        var work = new AckWork();
        var effort = (long)(context.Count - AckWork.FirstId) * AckWork.EffortOfId;
        if (GroupPass<AckWork>.IsLong(context, effort, GroupCopy.EffortOf(group)))
        {
            GroupPass<AckWork>.Begin(context, group: 2, work);
            return;
        }

        GroupWork.Do(context, context.Key, ref stream, group, ref work, context.Reply);
    }
}
