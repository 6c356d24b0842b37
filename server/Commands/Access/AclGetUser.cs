using Strata.Server.Clients;
using Strata.Server.Clients.Access;
using Strata.Server.Commands.Model;
using Strata.Server.Resp;

namespace Strata.Server.Commands.Access;

/// <summary>ACL GETUSER username</summary>
internal static class AclGetUser
{
    private const int FieldsOfSelector = 3;

    public static readonly CommandRow Row = new("getuser", 3, Acl.AdminFlags, KeySpec.None, Execute)
    {
        Group = CommandGroup.Server,
        Since = "6.0.0",
        IsReport = true,
        Summary = "Shows a user's rules.",
        Complexity = "O(N). Where N is the number of password, command and pattern rules that the user has.",
        Syntax = "username",
    };

    private static void Execute(CommandContext context)
    {
        var reply = context.Reply;
        if (context.Services.Users.Find(context.Argument(2))?.Current is not { } user)
        {
            reply.Null();
            return;
        }

        using var room = UserRoom.ForText(context.Server.Shards.Budget, user);
        reply.Map(FieldsOfSelector + 3);
        reply.Bulk("flags"u8);
        List<string> flags = [.. user.FlagNames];
        reply.Set(flags.Count);
        flags.ForEach(reply.Bulk);
        reply.Bulk("passwords"u8);
        reply.Array(user.Passwords.Count);
        for (var i = 0; i < user.Passwords.Count; i++)
        {
            reply.Bulk(Convert.ToHexStringLower(user.Passwords[i]));
        }

        GC.KeepAlive(user);
        Write(reply, user.Selectors[0]);
        reply.Bulk("selectors"u8);
        reply.Array(user.Selectors.Count - 1);
        foreach (var selector in user.Selectors.Skip(1))
        {
            reply.Map(FieldsOfSelector);
            Write(reply, selector);
        }
    }

    private static void Write(ReplyWriter reply, AccessSelector selector)
    {
        reply.Bulk("commands"u8);
        reply.Bulk(UserText.Of(isFile: false, text => text.AddCommands(selector)));
        reply.Bulk("keys"u8);
        reply.Bulk(UserText.Of(isFile: false, text => text.AddKeys(selector)));
        reply.Bulk("channels"u8);
        reply.Bulk(UserText.Of(isFile: false, text => text.AddChannels(selector)));
    }
}
