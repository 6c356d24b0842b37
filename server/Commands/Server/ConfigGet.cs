using Strata.Server.Commands.Model;
using Strata.Server.Options;

namespace Strata.Server.Commands.Server;

/// <summary>CONFIG GET parameter [parameter ...]</summary>
internal static class ConfigGet
{
    public static readonly CommandRow Row = new("get", -3,
        CommandFlags.Admin | CommandFlags.NoScript | CommandFlags.Loading | CommandFlags.Stale, KeySpec.None, Execute)
    {
        Group = CommandGroup.Server,
        Since = "2.0.0",
        Summary = "Shows the configuration keys that match patterns.",
        Differs = "Of words of Redis's that have no effect it shows the value with which Redis does the same.",
        Complexity = "O(N) where N is the number of patterns",
        Syntax = "parameter [parameter ...]",
    };

    private static void Execute(CommandContext context)
    {
        var patterns = new List<string>();
        for (var i = 2; i < context.Count; i++)
        {
            patterns.Add(ConfigurationText.FromBytes(context.Argument(i)));
        }

        var found = context.Server.Configuration.Get(patterns);
        context.Reply.Map(found.Count);
        foreach (var (name, value) in found)
        {
            context.Reply.Bulk(ConfigurationText.ToBytes(name));
            context.Reply.Bulk(ConfigurationText.ToBytes(value));
        }
    }
}
