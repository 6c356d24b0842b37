using Strata.Server.Commands.Model;
using Strata.Server.Text;

namespace Strata.Server.Clients;

/// <summary>The kinds of clients by name, and which kind a client is.</summary>
internal static class ClientTypes
{
    /// <summary>Whether a client is of a kind (null for any). Monitors are normal clients, and there is no
    /// replication.</summary>
    public static bool IsMeant(Session session, ClientType? type)
        => type is null || type == (session.IsSubscriber ? ClientType.PubSub : ClientType.Normal);

    /// <summary>Reads the kind's name; answers Redis's error for others.</summary>
    public static bool TryRead(CommandContext context, int index, out ClientType type)
    {
        type = ClientType.Normal;
        if (context.IsWord(index, "normal"u8))
        {
            return true;
        }

        if (context.IsWord(index, "master"u8))
        {
            type = ClientType.Master;
        }
        else if (context.IsWord(index, "replica"u8) || context.IsWord(index, "slave"u8))
        {
            type = ClientType.Replica;
        }
        else if (context.IsWord(index, "pubsub"u8))
        {
            type = ClientType.PubSub;
        }
        else
        {
            context.Reply.Error($"ERR Unknown client type '{EchoedArgument.Of(context.Argument(index))}'");
            return false;
        }

        return true;
    }
}
