using Strata.Server.Clients;
using Strata.Server.Commands.Model;
using Strata.Server.Diagnostics;
using Strata.Server.Resp;

namespace Strata.Server.Commands.Server;

/// <summary>LATENCY HISTOGRAM [command [command ...]]</summary>
internal static class LatencyHistogramCommand
{
    public static readonly CommandRow Row = new("histogram", -2,
        CommandFlags.Admin | CommandFlags.NoScript | CommandFlags.Loading | CommandFlags.Stale, KeySpec.None, Execute)
    {
        Group = CommandGroup.Server,
        Since = "7.0.0",
        IsReport = true,
        Summary = "Shows how many calls of commands took less than 1, 2, 4 and so on microseconds.",
        Complexity = "O(N) where N is the number of commands",
        Syntax = "[command [command ...]]",
        Tips = ["nondeterministic_output", "request_policy:all_nodes", "response_policy:special"],
    };

    // The least and the greatest limit that calls are counted below, as powers of two of nanoseconds.
    private const int FirstBits = 10;
    private const int LastBits = 40;

    private static void Execute(CommandContext context)
    {
        var totals = context.Services.Diagnostics.Totals();
        var tracked = totals.UsedCommands.Where(command => command.HasHistogram);
        if (context.Count > 2)
        {
            var named = new HashSet<CommandRow>();
            for (var i = 2; i < context.Count; i++)
            {
                if (context.Services.Commands.FindByFullName(context.Argument(i)) is { } row)
                {
                    named.Add(row);
                }
            }

            tracked = tracked.Where(command => named.Contains(command.Row) || named.Contains(command.Row.Container!));
        }

        var commands = tracked.ToList();
        context.Reply.Map(commands.Count);
        foreach (var command in commands)
        {
            Write(context.Reply, command);
        }
    }

    private static void Write(ReplyWriter reply, CommandTotals command)
    {
        var lines = new List<(long Microseconds, long Calls)>();
        var before = 0L;
        Span<long> below = stackalloc long[LastBits - FirstBits + 1];
        _ = LatencyHistogram.CountBelow(command.Histogram, FirstBits, below);
        for (var bits = FirstBits; bits <= LastBits; bits++)
        {
            var calls = below[bits - FirstBits];
            if (calls > before)
            {
                lines.Add((Label(bits), calls));
            }

            before = calls;
        }

        reply.Bulk(command.Row.FullName);
        reply.Map(2);
        reply.Bulk("calls"u8);
        reply.Integer(before);
        reply.Bulk("histogram_usec"u8);
        reply.Map(lines.Count);
        foreach (var (microseconds, calls) in lines)
        {
            reply.Integer(microseconds);
            reply.Integer(calls);
        }
    }

    /// <summary>The limit in microseconds as Redis prints it: the largest value that its histogram, of two digits'
    /// precision, does not tell from the power of two.</summary>
    private static long Label(int bits) => ((1L << bits) + (1L << (bits - 7)) - 1) / 1000;
}
