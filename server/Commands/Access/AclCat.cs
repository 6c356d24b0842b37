using Strata.Server.Clients;
using Strata.Server.Commands.Model;
using Strata.Server.Options;
using Strata.Server.Text;

namespace Strata.Server.Commands.Access;

/// <summary>ACL CAT [category]</summary>
internal static class AclCat
{
    private const int EchoedBytes = 128;

    public static readonly CommandRow Row = new("cat", -2,
        CommandFlags.NoScript | CommandFlags.Loading | CommandFlags.Stale, KeySpec.None, Execute)
    {
        Group = CommandGroup.Server,
        Since = "6.0.0",
        Summary = "Lists the categories of commands, or the commands of one.",
        Complexity = "O(1) since the categories and commands are a fixed set.",
        Syntax = "[category]",
    };

    private static void Execute(CommandContext context)
    {
        if (context.Count > 3)
        {
            Acl.RefuseCount(context);
            return;
        }

        if (context.Count == 2)
        {
            Write(context, [.. AclCategoryNames.All.Select(static named => named.Name)]);
            return;
        }

        var category = AclCategoryNames.Find(ConfigurationText.FromBytes(context.Argument(2)));
        if (category == AclCategories.None)
        {
            context.Reply.Error($"ERR Unknown category '{EchoedArgument.Of(context.Argument(2), EchoedBytes)}'");
            return;
        }

        Write(
            context,
            [.. context.Services.Names.All.Rows
                .SelectMany(static row => row.Subcommands == null ? [row] : row.Subcommands.Rows.Prepend(row))
                .Where(row => (row.AllCategories & category) != 0)
                .Select(static row => row.FullName)]);
    }

    private static void Write(CommandContext context, IReadOnlyList<string> names)
    {
        context.Reply.Array(names.Count);
        foreach (var name in names)
        {
            context.Reply.Bulk(name);
        }
    }
}
