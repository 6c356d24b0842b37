using Strata.Server.Commands.Model;
using Strata.Storage.Changes;
using Strata.Storage.Collections.Streams;

namespace Strata.Server.Commands.Streams;

/// <summary>XSETID key last-id [ENTRIESADDED entries-added] [MAXDELETEDID max-deleted-id]</summary>
internal static class XSetId
{
    public static readonly CommandRow Row = new("xsetid", -3,
        CommandFlags.Write | CommandFlags.DenyOom | CommandFlags.Fast,
        KeySpec.One(KeyAccess.ReadWrite | KeyAccess.Update), Execute)
    {
        Group = CommandGroup.Stream,
        Categories = AclCategories.Stream,
        Since = "5.0.0",
        Summary = "Sets what a stream notes of its past, as who repeats its changes needs it.",
        Complexity = "O(1)",
        Syntax = "key last-id [ENTRIESADDED entries-added] [MAXDELETEDID max-deleted-id]",
    };

    private static void Execute(CommandContext context)
    {
        if (!StreamArguments.TryId(context, 2, out var last)
            || !TryOptions(context, last, out var added, out var deleted))
        {
            return;
        }

        switch (StreamAccess.Edit(context, context.Key, out var stream))
        {
            case Lookup.Missing:
                context.Reply.Error(Errors.NoSuchKey);
                break;
            case Lookup.Found when Problem(stream.Read(), last, added) is { IsEmpty: false } problem:
                context.Reply.Error(problem);
                break;
            case Lookup.Found:
                stream.SetLastId(last);
                if (added >= 0)
                {
                    stream.SetEntriesAdded(added);
                }

                if (!deleted.IsZero)
                {
                    stream.SetMaxDeletedId(deleted);
                }

                stream.End(context.Change(KeyEvent.XSetId));
                context.Reply.Ok();
                break;
        }
    }

    /// <summary>Reads the options; -1 and the lowest id where they were not given.</summary>
    private static bool TryOptions(CommandContext context, StreamId last, out long added, out StreamId deleted)
    {
        added = -1;
        deleted = StreamId.Min;
        for (var i = 3; i < context.Count; i += 2)
        {
            if (i + 1 < context.Count && context.IsWord(i, "entriesadded"u8))
            {
                if (!context.TryInteger(i + 1, out added))
                {
                    return false;
                }

                if (added < 0)
                {
                    context.Reply.Error("ERR entries_added must be positive"u8);
                    return false;
                }
            }
            else if (i + 1 < context.Count && context.IsWord(i, "maxdeletedid"u8))
            {
                if (!StreamArguments.TryId(context, i + 1, out deleted))
                {
                    return false;
                }

                if (last < deleted)
                {
                    context.Reply.Error(
                        "ERR The ID specified in XSETID is smaller than the provided max_deleted_entry_id"u8);
                    return false;
                }
            }
            else
            {
                context.Reply.Error(Errors.Syntax);
                return false;
            }
        }

        return true;
    }

    private static ReadOnlySpan<byte> Problem(in StreamView stream, StreamId last, long added)
    {
        if (last < stream.MaxDeletedId)
        {
            return "ERR The ID specified in XSETID is smaller than current max_deleted_entry_id"u8;
        }

        if (!stream.TryLast(out var top))
        {
            return default;
        }

        return last < top ? "ERR The ID specified in XSETID is smaller than the target stream top item"u8
            : added >= 0 && stream.Count > added
                ? "ERR The entries_added specified in XSETID is smaller than the target stream length"u8
            : default;
    }
}
