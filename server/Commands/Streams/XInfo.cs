using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;
using Strata.Storage.Collections.Streams;

namespace Strata.Server.Commands.Streams;

/// <summary>XINFO, the container of its subcommands.</summary>
internal static class XInfo
{
    public static readonly CommandRow Row = new("xinfo", -2, CommandFlags.None,
        XInfoConsumers.Row,
        XInfoGroups.Row,
        SubcommandHelp.Row(CommandGroup.Stream, "5.0.0", AclCategories.Stream, isRedisText: true),
        XInfoStream.Row)
    {
        Group = CommandGroup.Stream,
        Since = "5.0.0",
        Summary = "Tells of a stream, its groups and their consumers.",
        Complexity = "Depends on the subcommand.",
        HelpLines =
        [
            "CONSUMERS <key> <groupname>",
            "    Show consumers of <groupname>.",
            "GROUPS <key>",
            "    Show the stream consumer groups.",
            "STREAM <key> [FULL [COUNT <count>]",
            "    Show information about the stream.",
        ],
    };

    /// <summary>Looks up the stream of the second argument, which must be there.</summary>
    public static bool TryStream(CommandContext context, out StreamView stream)
    {
        var lookup = StreamAccess.Read(context, context.KeyAt(2), out stream);
        if (lookup == Lookup.Missing)
        {
            context.Reply.Error(Errors.NoSuchKey);
        }

        return lookup == Lookup.Found;
    }
}
