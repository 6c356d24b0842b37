using System.Text;
using Strata.Server.Clients;
using Strata.Server.Commands.Model;
using Strata.Server.Metrics;
using Strata.Server.Reports;
using Strata.Server.Resp;

namespace Strata.Server.Commands.Server;

/// <summary>INFO [section [section ...]]</summary>
internal static class Info
{
    public static readonly CommandRow Row = new("info", -1,
        CommandFlags.Loading | CommandFlags.Stale, KeySpec.None, Execute)
    {
        Group = CommandGroup.Server,
        Categories = AclCategories.Dangerous,
        Since = "1.0.0",
        IsReport = true,
        Summary = "Shows facts and counters of the server, by section.",
        Differs = "Fields of replication, forks and defragmentation are zero, those of the allocator are about "
            + "Strata's own memory; sections and fields of Strata's own are added.",
        Complexity = "O(N) where N is the number of workers and shards",
        Syntax = "[section [section ...]]",
        Tips = ["nondeterministic_output", "request_policy:all_shards", "response_policy:special"],
    };

    private static void Execute(CommandContext context)
    {
        var words = new HashSet<string>(StringComparer.OrdinalIgnoreCase);
        for (var i = 1; i < context.Count; i++)
        {
            var word = Encoding.Latin1.GetString(context.Argument(i));
            if (i == 1 || InfoSections.IsKnown(word))
            {
                words.Add(word); // Of words that ask for nothing one says that not the default is asked for.
            }
        }

        var text = InfoSections.Write(InfoSections.Select(words), MetricSource.Of(context.Services));
        context.Reply.Verbatim("txt"u8, Encoding.UTF8.GetBytes(text));
    }
}
