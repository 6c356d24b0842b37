using System.Text;
using Strata.Server.Clients;
using Strata.Server.Commands.Model;
using Strata.Server.Diagnostics;
using Strata.Server.Resp;

namespace Strata.Server.Commands.Server;

/// <summary>SLOWLOG GET [count]</summary>
internal static class SlowlogGet
{
    public static readonly CommandRow Row = new("get", -2,
        CommandFlags.Admin | CommandFlags.Loading | CommandFlags.Stale, KeySpec.None, Execute)
    {
        Group = CommandGroup.Server,
        Since = "2.2.12",
        IsReport = true,
        Summary = "Shows the newest entries of the slow log: 10, or count, or all with -1.",
        Complexity = "O(N) where N is the number of entries",
        Syntax = "[count]",
        Tips = ["request_policy:all_nodes", "nondeterministic_output"],
    };

    private const int DefaultCount = 10;
    private const int Fields = 6;
    private const int MsPerSecond = 1000;

    private static void Execute(CommandContext context)
    {
        var count = (long)DefaultCount;
        if (context.Count > 3)
        {
            var word = Encoding.Latin1.GetString(context.Argument(1));
            context.Reply.Error(
                $"ERR unknown subcommand or wrong number of arguments for '{word}'. Try SLOWLOG HELP.");
            return;
        }

        if (context.Count == 3
            && (!NumberParser.TryParseInt64(context.Argument(2), out count) || count < -1))
        {
            context.Reply.Error("ERR count should be greater than or equal to -1"u8);
            return;
        }

        var maxLength = context.Server.Configuration.Current.SlowlogMaxLength;
        var entries = context.Services.Diagnostics.SlowLog.Newest(count == -1 ? maxLength : count, maxLength);
        context.Reply.Array(entries.Count);
        foreach (var entry in entries)
        {
            Write(context.Reply, entry);
        }
    }

    private static void Write(ReplyWriter reply, SlowLogEntry entry)
    {
        reply.Array(Fields);
        reply.Integer(entry.Id);
        reply.Integer(entry.UnixMs / MsPerSecond);
        reply.Integer(entry.Microseconds);
        reply.Array(entry.Arguments.Count);
        foreach (var argument in entry.Arguments)
        {
            reply.Bulk(argument);
        }

        reply.Bulk(entry.ClientAddress);
        reply.Bulk(entry.ClientName);
    }
}
