using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Documentation;

/// <summary>One command as COMMAND and COMMAND INFO describe it.</summary>
internal static class CommandInfoReply
{
    /// <summary>How the replies differ from Redis's.</summary>
    public const string Differs = "Key specifications have no notes and leave out the keys that SORT's patterns and "
        + "STORE name.";

    private const int Fields = 10;

    public static void WriteAll(CommandContext context, CommandTable table)
    {
        context.Reply.Array(table.Rows.Count);
        foreach (var row in table.Rows)
        {
            Write(context, row);
        }
    }

    public static void Write(CommandContext context, CommandRow row)
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
        context.Reply.Set((row.Keys.IsNone ? 0 : 1) + (row.SecondKeys.IsNone ? 0 : 1));
        foreach (var keys in (KeySpec[])[row.Keys, row.SecondKeys])
        {
            if (!keys.IsNone)
            {
                WriteKeySpec(context, keys);
            }
        }
    }

    private static void WriteKeySpec(CommandContext context, KeySpec keys)
    {
        var reply = context.Reply;
        reply.Map(3);
        reply.Bulk("flags"u8);
        FlagNames.Write(context, keys.Access);
        reply.Bulk("begin_search"u8);
        reply.Map(2);
        reply.Bulk("type"u8);
        if (keys.Half is { } half)
        {
            reply.Bulk("keyword"u8);
            reply.Bulk("spec"u8);
            reply.Map(2);
            reply.Bulk("keyword"u8);
            reply.Bulk(half.Word);
            reply.Bulk("startfrom"u8);
            reply.Integer(half.StartsAt);
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
        else
        {
            WriteRange(context, keys);
        }
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

    private static void WriteRange(CommandContext context, KeySpec keys)
    {
        var reply = context.Reply;
        reply.Bulk("range"u8);
        reply.Bulk("spec"u8);
        reply.Map(3);
        reply.Bulk("lastkey"u8);
        reply.Integer(keys.Half != null ? -1 : keys.Last < 0 ? keys.Last : keys.Last - keys.First);
        reply.Bulk("keystep"u8);
        reply.Integer(keys.Half != null ? 1 : keys.Step);
        reply.Bulk("limit"u8);
        reply.Integer(keys.Half != null ? 2 : 0);
    }
}
