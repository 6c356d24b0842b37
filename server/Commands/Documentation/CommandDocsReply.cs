using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Documentation;

/// <summary>One command as COMMAND DOCS describes it.</summary>
internal static class CommandDocsReply
{
    private static readonly PreparedReplies s_replies = new(Write);

    /// <summary>Writes a command's name and its description.</summary>
    public static void WriteNamed(CommandContext context, CommandRow row)
    {
        context.Reply.Bulk(row.FullName);
        s_replies.Write(context, row);
    }

    private static void Write(CommandContext context, CommandRow row)
    {
        var texts = Texts(row).ToList();
        var arguments = SyntaxParser.Parse(row);
        var docFlags = DocFlags(row).ToList();
        var history = CommandHistory.Of(row);
        var reply = context.Reply;
        reply.Map(texts.Count + (docFlags.Count > 0 ? 1 : 0) + (history.Count > 0 ? 1 : 0)
            + (arguments.Count > 0 ? 1 : 0) + (row.Subcommands != null ? 1 : 0));
        foreach (var (name, text) in texts)
        {
            reply.Bulk(name);
            reply.Bulk(text);
        }

        if (docFlags.Count > 0)
        {
            reply.Bulk("doc_flags"u8);
            FlagNames.Write(context, docFlags);
        }

        if (history.Count > 0)
        {
            reply.Bulk("history"u8);
            WriteHistory(context, history);
        }

        if (arguments.Count > 0)
        {
            reply.Bulk("arguments"u8);
            WriteArguments(context, row, arguments);
        }

        if (row.Subcommands != null)
        {
            reply.Bulk("subcommands"u8);
            reply.Map(row.Subcommands.Rows.Count);
            foreach (var subcommand in row.Subcommands.Rows)
            {
                WriteNamed(context, subcommand);
            }
        }
    }

    private static IEnumerable<(string Name, string Text)> Texts(CommandRow row)
    {
        yield return ("summary", row.Summary);
        yield return ("since", row.Since);
        yield return ("group", GroupNames.Of(row.Group));
        if (row.Complexity.Length > 0)
        {
            yield return ("complexity", row.Complexity);
        }

        if (row.DeprecatedSince != null)
        {
            yield return ("deprecated_since", row.DeprecatedSince);
        }

        if (row.ReplacedBy != null)
        {
            yield return ("replaced_by", row.ReplacedBy);
        }
    }

    private static IEnumerable<string> DocFlags(CommandRow row)
    {
        if (row.DeprecatedSince != null)
        {
            yield return "deprecated";
        }

        if (row.IsSystemCommand)
        {
            yield return "syscmd";
        }
    }

    private static void WriteHistory(CommandContext context, IReadOnlyList<HistoryEntry> history)
    {
        context.Reply.Set(history.Count);
        foreach (var entry in history)
        {
            context.Reply.Array(2);
            context.Reply.Bulk(entry.Version);
            context.Reply.Bulk(entry.Change);
        }
    }

    private static void WriteArguments(
        CommandContext context, CommandRow row, IReadOnlyList<ArgumentNode> nodes)
    {
        context.Reply.Array(nodes.Count);
        foreach (var node in nodes)
        {
            WriteArgument(context, row, node);
        }
    }

    private static void WriteArgument(CommandContext context, CommandRow row, ArgumentNode node)
    {
        var reply = context.Reply;
        var flags = ArgumentFlags(node).ToList();
        var since = CommandHistory.VersionOf(row, node);
        var isGroup = node.Type is ArgumentType.OneOf or ArgumentType.Block;
        reply.Map(3 + (node.KeySpecIndex >= 0 ? 1 : 0) + (node.Token != null ? 1 : 0) + (since != null ? 1 : 0)
            + (flags.Count > 0 ? 1 : 0));
        reply.Bulk("name"u8);
        reply.Bulk(node.Name);
        reply.Bulk("type"u8);
        reply.Bulk(ArgumentTypes.Word(node.Type));
        if (!isGroup)
        {
            reply.Bulk("display_text"u8);
            reply.Bulk(node.Name);
        }

        if (node.KeySpecIndex >= 0)
        {
            reply.Bulk("key_spec_index"u8);
            reply.Integer(node.KeySpecIndex);
        }

        if (node.Token != null)
        {
            reply.Bulk("token"u8);
            reply.Bulk(node.Token);
        }

        if (since != null)
        {
            reply.Bulk("since"u8);
            reply.Bulk(since);
        }

        if (flags.Count > 0)
        {
            reply.Bulk("flags"u8);
            FlagNames.Write(context, flags);
        }

        if (isGroup)
        {
            reply.Bulk("arguments"u8);
            WriteArguments(context, row, node.Children);
        }
    }

    private static IEnumerable<string> ArgumentFlags(ArgumentNode node)
    {
        if (node.IsOptional)
        {
            yield return "optional";
        }

        if (node.IsMultiple)
        {
            yield return "multiple";
        }

        if (node.IsTokenRepeated)
        {
            yield return "multiple_token";
        }
    }
}
