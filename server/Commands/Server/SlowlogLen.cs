using Strata.Server.Clients;
using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Server;

/// <summary>SLOWLOG LEN</summary>
internal static class SlowlogLen
{
    public static readonly CommandRow Row = new("len", 2,
        CommandFlags.Admin | CommandFlags.Loading | CommandFlags.Stale, KeySpec.None, Execute)
    {
        Group = CommandGroup.Server,
        Since = "2.2.12",
        Summary = "Tells how many entries the slow log holds.",
        Complexity = "O(N) where N is the number of entries",
        Tips = ["request_policy:all_nodes", "response_policy:agg_sum", "nondeterministic_output"],
    };

    private static void Execute(CommandContext context)
    {
        var maxLength = context.Server.Configuration.Current.SlowlogMaxLength;
        context.Reply.Integer(context.Services.Diagnostics.SlowLog.Newest(maxLength, maxLength).Count);
    }
}
