using Strata.Server.Clients;
using Strata.Server.Commands.Model;
using Strata.Server.Messaging;
using Strata.Server.Text;

namespace Strata.Server.Commands.PubSub;

/// <summary>What PUBSUB tells of channels and shard channels alike.</summary>
internal static class SubscriptionCounts
{
    public const CommandFlags Flags = CommandFlags.PubSub | CommandFlags.Loading | CommandFlags.Stale;

    /// <summary>Answers the names of the channels with subscribers, all or those that match a pattern.</summary>
    public static void ReplyNames(CommandContext context, ChannelKind kind)
    {
        if (context.Count > 3)
        {
            var name = EchoedArgument.Of(context.Argument(1));
            context.Reply.Error($"ERR unknown subcommand or wrong number of arguments for '{name}'. Try PUBSUB HELP.");
            return;
        }

        var start = context.Reply.Length;
        var count = 0;
        foreach (var link in context.Services.Messages.DirectoryOf(kind))
        {
            var channel = link.Item;
            if (context.Count == 2 || GlobPattern.IsMatch(context.Argument(2), channel.Name))
            {
                context.Reply.Bulk(channel.Name);
                count++;
            }
        }

        var middle = context.Reply.Length;
        context.Reply.Array(count);
        context.Reply.MoveForward(start, middle);
    }

    /// <summary>Answers for each argument its number of subscribers.</summary>
    public static void ReplyCounts(CommandContext context, ChannelKind kind)
    {
        var directory = context.Services.Messages.DirectoryOf(kind);
        context.Reply.Array((context.Count - 2) * 2);
        for (var i = 2; i < context.Count; i++)
        {
            var name = context.Argument(i);
            context.Reply.Bulk(name);
            context.Reply.Integer(directory.Find(name, ChannelDirectory.HashOf(name))?.Total ?? 0);
        }
    }
}
