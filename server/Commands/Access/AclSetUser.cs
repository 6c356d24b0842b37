using Strata.Server.Clients;
using Strata.Server.Clients.Access;
using Strata.Server.Commands.Model;
using Strata.Server.Options;

namespace Strata.Server.Commands.Access;

/// <summary>ACL SETUSER username [rule [rule ...]]</summary>
internal static class AclSetUser
{
    private const int FirstRule = 3;

    public static readonly CommandRow Row = new("setuser", -3, Acl.AdminFlags, KeySpec.None, Execute)
    {
        Group = CommandGroup.Server,
        Since = "6.0.0",
        Summary = "Makes a user, or changes one: all rules are taken, or none. Answers when every connection of the "
            + "user has the new rights, or was closed.",
        Complexity = "O(N). Where N is the number of rules provided.",
        Tips = ["request_policy:all_nodes", "response_policy:all_succeeded"],
        Syntax = "username [rule [rule ...]]",
        IsSecret = static (_, index) => index >= 2,
    };

    private static void Execute(CommandContext context)
    {
        if (context.Argument(2).Length > ServerLimits.LongestCredentialBytes)
        {
            context.Reply.Error($"ERR A username has at most {ServerLimits.LongestCredentialBytes} bytes");
            return;
        }

        var name = ConfigurationText.FromBytes(context.Argument(2));
        if (RuleText.HasBlanks(name))
        {
            context.Reply.Error("ERR Usernames can't contain spaces or null characters"u8);
            return;
        }

        for (var i = FirstRule; i < context.Count; i++)
        {
            if (context.Argument(i).Length > ServerLimits.LongestAccessRuleBytes)
            {
                context.Reply.Error($"ERR A rule has at most {ServerLimits.LongestAccessRuleBytes} bytes");
                return;
            }
        }

        var users = context.Services.Users;
        using var room = UserRoom.ForRules(
            context.Server.Shards.Budget, context.Request, FirstRule, users.Find(name)?.Current);
        var words = new List<string>(context.Count);
        for (var i = FirstRule; i < context.Count; i++)
        {
            words.Add(ConfigurationText.FromBytes(context.Argument(i)));
        }

        if (users.TrySet(name, words, out var error))
        {
            UserChange.Spread(context.Session, static reply => reply.Ok());
        }
        else
        {
            context.Reply.Error($"ERR {error}");
        }
    }
}
