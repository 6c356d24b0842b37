using Strata.Server.Clients;
using Strata.Server.Commands.Documentation;
using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;

namespace Strata.Server.Commands.Server;

/// <summary>COMMAND, and the container of its subcommands.</summary>
internal static class Command
{
    public static readonly CommandRow Row = new("command", -1,
        CommandFlags.Loading | CommandFlags.Stale, Execute,
        CommandCount.Row,
        CommandDocs.Row,
        CommandGetKeys.Row,
        CommandGetKeysAndFlags.Row,
        CommandInfo.Row,
        CommandListNames.Row,
        SubcommandHelp.Row(CommandGroup.Server, "5.0.0", AclCategories.Connection))
    {
        Group = CommandGroup.Server,
        Categories = AclCategories.Connection,
        Since = "2.8.13",
        IsReport = true,
        Summary = "Describes all commands.",
        Differs = CommandInfoReply.Differs,
        Complexity = "O(N) where N is the number of commands",
        Tips = ["nondeterministic_output_order"],
    };

    private static void Execute(CommandContext context)
        => CommandInfoReply.WriteAll(context, context.Services.Commands);
}
