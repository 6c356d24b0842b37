using Strata.Server.Clients;
using Strata.Server.Clients.Access;
using Strata.Server.Commands.Model;
using Strata.Server.Resp;
using Strata.Server.Text;
using Strata.Server.Versions;

namespace Strata.Server.Commands.Connection;

/// <summary>HELLO [protover [AUTH username password] [SETNAME clientname]]</summary>
internal static class Hello
{
    public static readonly CommandRow Row = new(
        "hello",
        -1,
        CommandFlags.NoScript | CommandFlags.Loading | CommandFlags.Stale | CommandFlags.Fast | CommandFlags.NoAuth
            | CommandFlags.AllowBusy | CommandFlags.HoldsMemory,
        KeySpec.None,
        Execute)
    {
        Group = CommandGroup.Connection,
        Categories = AclCategories.Connection,
        Since = "6.0.0",
        Summary = "Chooses the protocol version, and tells what the server is.",
        Complexity = "O(1)",
        Syntax = "[protover [AUTH username password] [SETNAME clientname]]",
        IsSecret = IsSecret,
    };

    private static void Execute(CommandContext context)
    {
        var session = context.Session;
        var protocol = session.Protocol;
        if ((context.Count > 1 && !TryReadProtocol(context, out protocol))
            || !TryReadOptions(context, out var userIndex, out var name)
            || (userIndex > 0 && !TryAuthenticate(context, userIndex)))
        {
            return;
        }

        if (!session.IsAuthenticated)
        {
            context.Reply.Error(
                "NOAUTH HELLO must be called with the client already authenticated, otherwise the HELLO <proto> AUTH "
                + "<user> <pass> option can be used to authenticate the client and select the RESP protocol version at "
                + "the same time");
            return;
        }

        session.Name = name ?? session.Name;
        session.UseProtocol(protocol, context.Reply);
        ReplyAbout(context);
    }

    private static bool TryReadProtocol(CommandContext context, out int protocol)
    {
        protocol = 0;
        if (!NumberParser.TryParseInt64(context.Argument(1), out var version))
        {
            context.Reply.Error("ERR Protocol version is not an integer or out of range"u8);
            return false;
        }

        if (version is < 2 or > 3)
        {
            context.Reply.Error("NOPROTO unsupported protocol version"u8);
            return false;
        }

        protocol = (int)version;
        return true;
    }

    private static bool TryReadOptions(CommandContext context, out int userIndex, out string? name)
    {
        userIndex = 0;
        name = null;
        for (var i = 2; i < context.Count;)
        {
            var following = context.Count - 1 - i;
            if (context.IsWord(i, "auth"u8) && following >= 2)
            {
                userIndex = i + 1;
                i += 3;
            }
            else if (context.IsWord(i, "setname"u8) && following >= 1)
            {
                if (!ClientAttribute.TryRead(context.Argument(i + 1), out name))
                {
                    context.Reply.Error(ClientAttribute.ErrorOf(
                        ClientAttribute.ConnectionName, context.Argument(i + 1)));
                    return false;
                }

                i += 2;
            }
            else
            {
                var option = EchoedArgument.Of(context.Argument(i));
                context.Reply.Error($"ERR Syntax error in HELLO option '{option}'");
                return false;
            }
        }

        return true;
    }

    private static bool TryAuthenticate(CommandContext context, int userIndex)
    {
        var user = context.Argument(userIndex);
        var password = context.Argument(userIndex + 1);
        if (AccessCheck.TryAuthenticate(context.Session, context.Request, user, password))
        {
            return true;
        }

        context.Reply.Error(AccessCheck.WrongPassword);
        return false;
    }

    /// <summary>AUTH among the options is followed by user and password.</summary>
    private static bool IsSecret(Request request, int index)
    {
        for (var i = 2; i < index;)
        {
            if (!NumberParser.IsWord(request[i], "auth"u8))
            {
                i += 2;
                continue;
            }

            if (index <= i + 2)
            {
                return true;
            }

            i += 3;
        }

        return false;
    }

    private static void ReplyAbout(CommandContext context)
    {
        var reply = context.Reply;
        reply.Map(7);
        reply.Bulk("server"u8);
        reply.Bulk("redis"u8); // What clients choose their features by; INFO names this program.
        reply.Bulk("version"u8);
        reply.Bulk(RedisCompatibility.Version);
        reply.Bulk("proto"u8);
        reply.Integer(context.Session.Protocol);
        reply.Bulk("id"u8);
        reply.Integer(context.Session.Id);
        reply.Bulk("mode"u8);
        reply.Bulk("standalone"u8);
        reply.Bulk("role"u8);
        reply.Bulk("master"u8);
        reply.Bulk("modules"u8);
        reply.Array(0);
    }
}
