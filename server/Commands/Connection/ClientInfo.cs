using System.Text;
using Strata.Server.Clients;
using Strata.Server.Commands.Model;
using Strata.Server.Resp;

namespace Strata.Server.Commands.Connection;

/// <summary>CLIENT INFO</summary>
internal static class ClientInfo
{
    public static readonly CommandRow Row = new(
        "info", 2, CommandFlags.NoScript | CommandFlags.Loading | CommandFlags.Stale, KeySpec.None, Execute)
    {
        Group = CommandGroup.Connection,
        Categories = AclCategories.Connection,
        Since = "6.2.0",
        Summary = "Describes the connection as CLIENT LIST does.",
        Differs = ClientDescription.Differs,
        Complexity = "O(1)",
        Tips = ["nondeterministic_output"],
    };

    private static void Execute(CommandContext context)
    {
        var line = ClientDescription.Of(context.Session, context.NowMs, context.Request.ArgumentBytes) + "\n";
        context.Reply.Verbatim("txt"u8, Encoding.UTF8.GetBytes(line));
    }
}
