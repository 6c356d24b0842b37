using Strata.Server.Commands.Model;
using Strata.Storage.Changes;
using Strata.Storage.Collections.Streams;

namespace Strata.Server.Commands.Streams;

/// <summary>XADD key [NOMKSTREAM] [&lt;MAXLEN | MINID&gt; [= | ~] threshold [LIMIT count]] &lt;* | id&gt; field value
/// [field value ...]</summary>
internal static class XAdd
{
    public static readonly CommandRow Row = new("xadd", -5,
        CommandFlags.Write | CommandFlags.DenyOom | CommandFlags.Fast,
        KeySpec.One(KeyAccess.ReadWrite | KeyAccess.Update), Execute)
    {
        Group = CommandGroup.Stream,
        Categories = AclCategories.Stream,
        Since = "5.0.0",
        Summary = "Adds an entry to a stream, which is made if it is not there.",
        Complexity = "O(1) for the entry, O(N) for N entries trimmed",
        Tips = ["nondeterministic_output"],
        Syntax = "key [NOMKSTREAM] [<MAXLEN|MINID> [=|~] threshold [LIMIT count]] <*|id> field value "
            + "[field value ...]",
    };

    // As in Redis, whose blocks have their limit there.
    private const long MostBytes = 1 << 30;

    private static void Execute(CommandContext context)
    {
        if (!TrimArguments.TryParse(context, isAdd: true, out var arguments))
        {
            return;
        }

        var fields = context.Count - arguments.End - 1;
        if (fields < 2 || fields % 2 != 0)
        {
            context.Reply.Error("ERR wrong number of arguments for 'xadd' command"u8);
            return;
        }

        if (arguments.IdForm == NewIdForm.Whole && arguments.Id.IsZero)
        {
            context.Reply.Error("ERR The ID specified in XADD must be greater than 0-0"u8);
            return;
        }

        switch (StreamAccess.Edit(context, context.Key, out var stream))
        {
            case Lookup.WrongType:
                break;
            case Lookup.Missing when arguments.OnlyIfThere:
                context.Reply.Null();
                break;
            default:
                if (TryId(context, stream, arguments, out var id))
                {
                    Add(context, ref stream, arguments, id);
                }

                break;
        }
    }

    /// <summary>The new entry's id; that there can be none is answered.</summary>
    private static bool TryId(
        CommandContext context, scoped in StreamEditor stream, in TrimArguments arguments, out StreamId id)
    {
        var last = stream.IsMissing ? StreamId.Min : stream.Read().LastId;
        id = arguments.Id;
        if (last == StreamId.Max)
        {
            context.Reply.Error(
                "ERR The stream has exhausted the last possible ID, unable to add more items"u8);
            return false;
        }

        if (arguments.IdForm == NewIdForm.Automatic)
        {
            id = new StreamId((ulong)context.NowMs, 0);
            _ = id.Ms > last.Ms || last.TryNext(out id);
        }
        else if (arguments.IdForm == NewIdForm.AutomaticSequence && id.Ms == last.Ms && last.Seq < ulong.MaxValue)
        {
            id = new StreamId(id.Ms, last.Seq + 1);
        }

        if (id <= last)
        {
            context.Reply.Error(
                "ERR The ID specified in XADD is equal or smaller than the target stream top item"u8);
            return false;
        }

        if (context.Request.ArgumentBytes > MostBytes)
        {
            context.Reply.Error("ERR Elements are too large to be stored"u8);
            return false;
        }

        return true;
    }

    private static void Add(
        CommandContext context, scoped ref StreamEditor stream, in TrimArguments arguments, StreamId id)
    {
        var first = arguments.End + 1;
        stream.Append(id, new EntryFields(context, first));
        var trimmed = arguments.Apply(ref stream);
        stream.End(context.Change(KeyEvent.XAdd));
        if (trimmed > 0)
        {
            stream.Tell(context.Change(KeyEvent.XTrim));
        }

        StreamReply.Id(context.Reply, id);
        if (context.Effects != null && (arguments.IdForm != NewIdForm.Whole || arguments.IsApproximate))
        {
            TellEffect(context, stream, arguments, id, first);
        }
    }

    /// <summary>With the id as it came to be, and the length or the lowest id, too.</summary>
    private static void TellEffect(
        CommandContext context, scoped in StreamEditor stream, in TrimArguments arguments, StreamId id, int first)
    {
        var effects = context.Effects!;
        effects.Begin(context.Count - first + 3 + arguments.EffectCount, "XADD"u8);
        effects.Argument(context.Key.Span);
        arguments.Tell(effects, stream.Read());
        StreamEffects.Id(effects, id);
        for (var i = first; i < context.Count; i++)
        {
            effects.Argument(context.Argument(i));
        }
    }
}
