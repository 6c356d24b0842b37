using Strata.Server.Commands.Model;
using Strata.Server.Resp;

namespace Strata.Server.Commands.Documentation;

/// <summary>One command as COMMAND and COMMAND INFO describe it.</summary>
internal static class CommandInfoReply
{
    /// <summary>How the replies differ from Redis's.</summary>
    public const string Differs = "Key specifications have no notes.";

    private const int Fields = 10;

    private static readonly PreparedReplies s_replies = new(WriteRow);

    public static void WriteAll(CommandContext context, CommandTable table)
    {
        context.Reply.Array(table.Rows.Count);
        foreach (var row in table.Rows)
        {
            Write(context, row);
        }
    }

    public static void Write(CommandContext context, CommandRow row) => s_replies.Write(context, row);

    private static void WriteRow(CommandContext context, CommandRow row)
    {
        var reply = context.Reply;
        reply.Array(Fields);
        reply.Bulk(row.FullName);
        reply.Integer(row.Arity);
        FlagNames.Write(context, row.Flags);

        // The range that clients from before the key specifications know covers both kinds of keys.
        reply.Integer(row.Keys.First);
        reply.Integer(row.SecondKeys.First > 0 ? row.SecondKeys.Last : row.Keys.Last);
        reply.Integer(row.Keys.Step);
        FlagNames.Write(context, row.AllCategories);
        reply.Set(row.Tips.Count);
        foreach (var tip in row.Tips)
        {
            reply.Bulk(tip);
        }

        WriteKeySpecs(context, row);
        if (row.Subcommands == null)
        {
            reply.Set(0);
        }
        else
        {
            WriteAll(context, row.Subcommands);
        }
    }

    private static void WriteKeySpecs(CommandContext context, CommandRow row)
    {
        context.Reply.Set((row.Keys.IsNone ? 0 : 1) + (row.SecondKeys.IsNone ? 0 : 1) + row.OptionKeys.Count);
        foreach (var keys in (KeySpec[])[row.Keys, row.SecondKeys])
        {
            if (!keys.IsNone)
            {
                WriteKeySpec(context, keys);
            }
        }

        foreach (var keys in row.OptionKeys)
        {
            WriteOptionKeys(context, keys);
        }
    }

    private static void WriteKeySpec(CommandContext context, KeySpec keys)
    {
        var reply = context.Reply;
        BeginSpec(context, keys.Access);
        if (keys.Half is { } half)
        {
            WriteKeyword(reply, half.Word, half.StartsAt);
        }
        else
        {
            reply.Bulk("index"u8);
            reply.Bulk("spec"u8);
            reply.Map(1);
            reply.Bulk("index"u8);
            reply.Integer(keys.CountAt > 0 ? keys.CountAt : keys.First);
        }

        reply.Bulk("find_keys"u8);
        reply.Map(2);
        reply.Bulk("type"u8);
        if (keys.CountAt > 0)
        {
            WriteCount(context);
        }
        else if (keys.Half != null)
        {
            WriteRange(reply, last: -1, step: 1, limit: 2);
        }
        else
        {
            WriteRange(reply, keys.Last < 0 ? keys.Last : keys.Last - keys.First, keys.Step, limit: 0);
        }
    }

    private static void WriteOptionKeys(CommandContext context, OptionKeys keys)
    {
        var reply = context.Reply;
        BeginSpec(context, keys.Access);
        if (keys.Word == null)
        {
            WriteUnknown(reply);
        }
        else
        {
            WriteKeyword(reply, keys.Word, keys.StartsAt);
        }

        reply.Bulk("find_keys"u8);
        reply.Map(2);
        reply.Bulk("type"u8);
        if (keys.Word == null)
        {
            WriteUnknown(reply);
        }
        else
        {
            WriteRange(reply, keys.AreMany ? -1 : 0, step: 1, limit: 0);
        }
    }

    private static void BeginSpec(CommandContext context, KeyAccess access)
    {
        var reply = context.Reply;
        reply.Map(3);
        reply.Bulk("flags"u8);
        FlagNames.Write(context, access);
        reply.Bulk("begin_search"u8);
        reply.Map(2);
        reply.Bulk("type"u8);
    }

    private static void WriteUnknown(ReplyWriter reply)
    {
        reply.Bulk("unknown"u8);
        reply.Bulk("spec"u8);
        reply.Map(0);
    }

    private static void WriteKeyword(ReplyWriter reply, string word, int startsAt)
    {
        reply.Bulk("keyword"u8);
        reply.Bulk("spec"u8);
        reply.Map(2);
        reply.Bulk("keyword"u8);
        reply.Bulk(word);
        reply.Bulk("startfrom"u8);
        reply.Integer(startsAt);
    }

    private static void WriteCount(CommandContext context)
    {
        var reply = context.Reply;
        reply.Bulk("keynum"u8);
        reply.Bulk("spec"u8);
        reply.Map(3);
        reply.Bulk("keynumidx"u8);
        reply.Integer(0);
        reply.Bulk("firstkey"u8);
        reply.Integer(1);
        reply.Bulk("keystep"u8);
        reply.Integer(1);
    }

    private static void WriteRange(ReplyWriter reply, int last, int step, int limit)
    {
        reply.Bulk("range"u8);
        reply.Bulk("spec"u8);
        reply.Map(3);
        reply.Bulk("lastkey"u8);
        reply.Integer(last);
        reply.Bulk("keystep"u8);
        reply.Integer(step);
        reply.Bulk("limit"u8);
        reply.Integer(limit);
    }
}
