using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Server;

/// <summary>DBSIZE</summary>
internal static class DbSize
{
    public static readonly CommandRow Row = new("dbsize", 1,
        CommandFlags.ReadOnly | CommandFlags.Fast,
        KeySpec.None, Execute)
    {
        Group = CommandGroup.Server,
        Categories = AclCategories.KeySpace,
        Since = "1.0.0",
        Summary = "Counts the keys of the selected database, expired ones that are not deleted yet among them.",
        Complexity = "O(1)",
        Tips = ["request_policy:all_shards", "response_policy:agg_sum"],
    };

    private static void Execute(CommandContext context)
        => context.Reply.Integer(context.Server.Shards.CountKeys(context.Database));
}
