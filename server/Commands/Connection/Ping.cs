using Strata.Server.Clients;
using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Connection;

/// <summary>PING [message]</summary>
internal static class Ping
{
    public static readonly CommandRow Row = new("ping", -1, CommandFlags.Fast, KeySpec.None, Execute)
    {
        Group = CommandGroup.Connection,
        Categories = AclCategories.Connection,
        Since = "1.0.0",
        Summary = "Answers, to show that the server is there.",
        Complexity = "O(1)",
        Tips = ["request_policy:all_shards", "response_policy:all_succeeded"],
        Syntax = "[message]",
        IsForSubscribers = true,
    };

    private static void Execute(CommandContext context)
    {
        if (context.Count <= 2 && context.Session.Protocol == 2 && context.Session.IsSubscriber)
        {
            // Told apart from messages by its first element, as they are from each other.
            context.Reply.Array(2);
            context.Reply.Bulk("pong"u8);
            context.Reply.Bulk(context.Count == 2 ? context.Argument(1) : default);
            return;
        }

        switch (context.Count)
        {
            case 1:
                context.Reply.Simple("PONG"u8);
                break;
            case 2:
                Echo.Answer(context);
                break;
            default:
                context.Reply.Error("ERR wrong number of arguments for 'ping' command"u8);
                break;
        }
    }
}
