using Strata.Server.Clients;
using Strata.Server.Commands.Model;
using Strata.Server.Options;

namespace Strata.Server.Commands.Access;

/// <summary>ACL WHOAMI</summary>
internal static class AclWhoAmI
{
    public static readonly CommandRow Row = new("whoami", 2,
        CommandFlags.NoScript | CommandFlags.Loading | CommandFlags.Stale, KeySpec.None, Execute)
    {
        Group = CommandGroup.Server,
        Since = "6.0.0",
        Summary = "Tells which user the client is.",
        Complexity = "O(1)",
    };

    private static void Execute(CommandContext context)
        => context.Reply.Bulk(ConfigurationText.ToBytes(context.Session.User.Current.Name));
}
