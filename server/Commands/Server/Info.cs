using System.Text;
using Strata.Server.Clients;
using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;
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
        if (context.Count == 1)
        {
            Write(context.Reply, InfoSections.Select([]), context);
            return;
        }

        ReportPass.Answer(context, static _ => new Words());
    }

    private static void Write(ReplyWriter reply, IReadOnlyList<InfoSection> sections, CommandContext context)
        => reply.Verbatim(
            "txt"u8, Encoding.UTF8.GetBytes(InfoSections.Write(sections, MetricSource.Of(context.Services))));

    /// <summary>The words, of which there may be many.</summary>
    private sealed class Words : ReportPass
    {
        // Bytes; there is no section with a longer name.
        private const int LongestWord = 32;

        private readonly HashSet<string> _known = new(StringComparer.OrdinalIgnoreCase);
        private int _next = 1;

        /// <inheritdoc/>
        private protected override bool TryStep(CommandContext context, long effort)
        {
            for (; _next < context.Count; _next++)
            {
                if (effort-- <= 0)
                {
                    return false;
                }

                var argument = context.Argument(_next);
                var word = argument.Length > LongestWord ? "" : Encoding.Latin1.GetString(argument);
                if (InfoSections.IsWord(word))
                {
                    _ = _known.Add(word);
                }
            }

            Write(context.Reply, _known.Count == 0 ? [] : InfoSections.Select(_known), context);
            return true;
        }

        /// <inheritdoc/>
        private protected override void WriteHeader(ReplyWriter reply)
        {
            // What was written is all.
        }
    }
}
