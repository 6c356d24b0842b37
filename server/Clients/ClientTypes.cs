using Strata.Server.Commands;

namespace Strata.Server.Clients;

/// <summary>The kinds of clients by name, and which kind a client is.</summary>
internal static class ClientTypes
{
    /// <summary>Whether this server's clients are of a kind (null for any): all are normal ones, monitors too, because
    /// it has neither replication nor channels.</summary>
    public static bool AreMeant(ClientType? type) => type is null or ClientType.Normal;

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
