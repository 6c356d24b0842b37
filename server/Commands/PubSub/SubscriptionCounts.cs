using Strata.Server.Clients;
using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;
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

        ReportPass.Answer(
            context, context => new ChannelsPass(context.Services.Messages.DirectoryOf(kind)));
    }

    /// <summary>Answers for each argument its number of subscribers.</summary>
    public static void ReplyCounts(CommandContext context, ChannelKind kind)
    {
        var directory = context.Services.Messages.DirectoryOf(kind);
        NamesPass.Answer(
            context,
            first: 2,
            (context, index) =>
            {
                var name = context.Argument(index);
                context.Reply.Bulk(name);
                context.Reply.Integer(directory.Find(name, ChannelDirectory.HashOf(name))?.Total ?? 0);
                return true;
            },
            static (reply, count) => reply.Array(count * 2));
    }
}
