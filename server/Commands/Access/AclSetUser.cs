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

        UserRulesPass.Execute(context, name, FirstRule);
    }
}
