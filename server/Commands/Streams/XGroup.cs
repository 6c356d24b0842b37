using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;

namespace Strata.Server.Commands.Streams;

/// <summary>XGROUP, the container of its subcommands.</summary>
internal static class XGroup
{
    public static readonly CommandRow Row = new("xgroup", -2, CommandFlags.None,
        XGroupCreate.Row,
        XGroupCreateConsumer.Row,
        XGroupDelConsumer.Row,
        XGroupDestroy.Row,
        SubcommandHelp.Row(CommandGroup.Stream, "5.0.0", AclCategories.Stream, isRedisText: true),
        XGroupSetId.Row)
    {
        Group = CommandGroup.Stream,
        Since = "5.0.0",
        Summary = "Makes groups of consumers, and changes them.",
        Complexity = "Depends on the subcommand.",
        HelpLines =
        [
            "CREATE <key> <groupname> <id|$> [option]",
            "    Create a new consumer group. Options are:",
            "    * MKSTREAM",
            "      Create the empty stream if it does not exist.",
            "    * ENTRIESREAD entries_read",
            "      Set the group's entries_read counter (internal use).",
            "CREATECONSUMER <key> <groupname> <consumer>",
            "    Create a new consumer in the specified group.",
            "DELCONSUMER <key> <groupname> <consumer>",
            "    Remove the specified consumer.",
            "DESTROY <key> <groupname>",
            "    Remove the specified group.",
            "SETID <key> <groupname> <id|$> [ENTRIESREAD entries_read]",
            "    Set the current group ID and entries_read counter.",
        ],
    };
}
