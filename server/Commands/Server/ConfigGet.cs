using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;
using Strata.Server.Options;
using Strata.Server.Resp;
using Strata.Server.Text;

namespace Strata.Server.Commands.Server;

/// <summary>CONFIG GET parameter [parameter ...]</summary>
internal static class ConfigGet
{
    public static readonly CommandRow Row = new("get", -3,
        CommandFlags.Admin | CommandFlags.NoScript | CommandFlags.Loading | CommandFlags.Stale, KeySpec.None, Execute)
    {
        Group = CommandGroup.Server,
        Since = "2.0.0",
        IsReport = true,
        Summary = "Shows the configuration keys that match patterns.",
        Differs = "Of words of Redis's that have no effect it shows the value with which Redis does the same.",
        Complexity = "O(N) where N is the number of patterns",
        Syntax = "parameter [parameter ...]",
    };

    private static void Execute(CommandContext context)
        => ReportPass.Answer(context, static context => new Pass(context.Server.Configuration.Query()));

    /// <summary>What is found is one moment's: that at which the command begins.</summary>
    private sealed class Pass(ConfigurationQuery query) : ReportPass
    {
        private int _next = 2;

        /// <inheritdoc/>
        private protected override bool TryStep(CommandContext context, long effort)
        {
            var left = GlobMatch.EffortOf(effort);
            for (; _next < context.Count; _next++)
            {
                if (left <= 0 || !query.TryAdd(context.Argument(_next), ref left))
                {
                    return false;
                }
            }

            foreach (var (name, value) in query.Found)
            {
                context.Reply.Bulk(ConfigurationText.ToBytes(name));
                context.Reply.Bulk(ConfigurationText.ToBytes(value));
            }

            return true;
        }

        /// <inheritdoc/>
        private protected override void WriteHeader(ReplyWriter reply) => reply.Map(query.Found.Count);
    }
}
