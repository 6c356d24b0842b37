using Strata.Server.Commands.Model;
using Strata.Storage.Changes;

namespace Strata.Server.Commands.Streams;

/// <summary>XGROUP SETID key group &lt;id | $&gt; [ENTRIESREAD entries-read]</summary>
internal static class XGroupSetId
{
    public static readonly CommandRow Row = new("setid", -5,
        CommandFlags.Write,
        new KeySpec(2, 2, 1, KeyAccess.ReadWrite | KeyAccess.Update), Execute)
    {
        Group = CommandGroup.Stream,
        Categories = AclCategories.Stream,
        Since = "5.0.0",
        Summary = "Sets the id up to which a group has read.",
        Complexity = "O(log(N)) with N groups of the stream",
        Syntax = "key group <id|$> [ENTRIESREAD entries-read]",
    };

    private static void Execute(CommandContext context)
    {
        if (!GroupArguments.TryOptions(context, mayMake: false, out var entriesRead, out _)
            || !GroupArguments.TryGroup(context, context.KeyAt(2), out var stream, out var group))
        {
            return;
        }

        if (context.Count > 7)
        {
            Shared.SubcommandSyntax.Refuse(context);
            return;
        }

        if (StreamIdText.Seen(context.Argument(4)) is [(byte)'$'])
        {
            stream.Edit(group).SetRead(stream.Read().LastId, entriesRead);
        }
        else if (IdRange.TryEndOrId(context, 4, out var id))
        {
            stream.Edit(group).SetRead(id, entriesRead);
        }
        else
        {
            return;
        }

        stream.End(context.Change(KeyEvent.XGroupSetId));
        context.Reply.Ok();
    }
}
