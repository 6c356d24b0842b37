using Strata.Server.Commands.Model;
using Strata.Storage.Changes;
using Strata.Storage.Collections.Streams;

namespace Strata.Server.Commands.Streams;

/// <summary>XGROUP CREATE key group &lt;id | $&gt; [MKSTREAM] [ENTRIESREAD entries-read]</summary>
internal static class XGroupCreate
{
    public static readonly CommandRow Row = new("create", -5,
        CommandFlags.Write | CommandFlags.DenyOom,
        new KeySpec(2, 2, 1, KeyAccess.ReadWrite | KeyAccess.Insert), Execute)
    {
        Group = CommandGroup.Stream,
        Categories = AclCategories.Stream,
        Since = "5.0.0",
        Summary = "Makes a group of consumers.",
        Complexity = "O(log(N)) with N groups of the stream",
        Syntax = "key group <id|$> [MKSTREAM] [ENTRIESREAD entries-read]",
    };

    // Each option once, as in Redis.
    private const int MostArguments = 8;

    private static void Execute(CommandContext context)
    {
        if (!GroupArguments.TryOptions(context, mayMake: true, out var entriesRead, out var makesStream))
        {
            return;
        }

        var lookup = StreamAccess.Edit(context, context.KeyAt(2), out var stream);
        if (lookup == Lookup.WrongType)
        {
            return;
        }

        if (lookup == Lookup.Missing && !makesStream)
        {
            GroupArguments.RefuseMissingKey(context);
            return;
        }

        if (context.Count > MostArguments)
        {
            Shared.SubcommandSyntax.Refuse(context);
            return;
        }

        var id = StreamId.Min;
        if (StreamIdText.Seen(context.Argument(4)) is [(byte)'$'])
        {
            id = lookup == Lookup.Found ? stream.Read().LastId : id;
        }
        else if (!StreamArguments.TryId(context, 4, out id))
        {
            return;
        }

        Create(context, ref stream, id, entriesRead, isNew: lookup == Lookup.Missing);
    }

    private static void Create(
        CommandContext context, scoped ref StreamEditor stream, StreamId id, long entriesRead, bool isNew)
    {
        if (isNew)
        {
            stream.Create();
        }

        if (!stream.TryCreateGroup(context.Argument(3), id, entriesRead, out _))
        {
            context.Reply.Error("BUSYGROUP Consumer Group name already exists"u8);
            return;
        }

        stream.End(context.Change(KeyEvent.XGroupCreate));
        if (isNew)
        {
            stream.Tell(context.Change(KeyEvent.Made));
        }

        context.Reply.Ok();
    }
}
