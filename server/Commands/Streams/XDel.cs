using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;
using Strata.Storage.Changes;

namespace Strata.Server.Commands.Streams;

/// <summary>XDEL key id [id ...]</summary>
internal static class XDel
{
    public static readonly CommandRow Row = new("xdel", -3,
        CommandFlags.Write | CommandFlags.Fast,
        KeySpec.One(KeyAccess.ReadWrite | KeyAccess.Delete), Execute)
    {
        Group = CommandGroup.Stream,
        Categories = AclCategories.Stream,
        Since = "5.0.0",
        Summary = "Removes entries from a stream.",
        Complexity = "O(log(N)) for each id, with N entries in the stream",
        Syntax = "key id [id ...]",
    };

    /// <summary>Index of the first id.</summary>
    public const int FirstId = 2;

    private static void Execute(CommandContext context)
    {
        if (KeyPass.TryGoOn(context) || EntryRemovalPass.Begins(context))
        {
            return;
        }

        var lookup = StreamAccess.Edit(context, context.Key, out var stream);
        if (lookup == Lookup.Missing)
        {
            context.Reply.Integer(0);
        }

        if (lookup != Lookup.Found || !StreamArguments.AreIds(context, FirstId))
        {
            return;
        }

        var deleted = 0;
        for (var i = FirstId; i < context.Count; i++)
        {
            deleted += stream.Delete(StreamArguments.IdAt(context, i)) ? 1 : 0;
        }

        if (deleted > 0)
        {
            stream.End(context.Change(KeyEvent.XDel));
        }

        context.Reply.Integer(deleted);
    }
}
