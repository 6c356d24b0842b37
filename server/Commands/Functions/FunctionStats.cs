using Strata.Server.Clients;
using Strata.Server.Commands.Model;
using Strata.Server.Scripting;

namespace Strata.Server.Commands.Functions;

/// <summary>FUNCTION STATS</summary>
internal static class FunctionStats
{
    public static readonly CommandRow Row = new("stats", 2,
        CommandFlags.NoScript | CommandFlags.AllowBusy, KeySpec.None, Execute)
    {
        Group = CommandGroup.Scripting,
        Categories = AclCategories.Scripting,
        Since = "7.0.0",
        IsReport = true,
        Summary = "Tells which function runs for long, and how many there are.",
        Complexity = "O(1)",
        Tips = ["nondeterministic_output", "request_policy:all_shards", "response_policy:special"],
    };

    private static void Execute(CommandContext context)
    {
        var reply = context.Reply;
        var slow = context.Services.Scripts.Slow;
        if (slow is { IsFunction: false })
        {
            reply.Error(Errors.Busy);
            return;
        }

        reply.Map(2);
        reply.Bulk("running_script"u8);
        if (slow == null)
        {
            reply.Null();
        }
        else
        {
            WriteRunning(context, slow);
        }

        var libraries = context.Services.Scripts.Functions.Current;
        reply.Bulk("engines"u8);
        reply.Map(1);
        reply.Bulk(FunctionContainer.Engine);
        reply.Map(2);
        reply.Bulk("libraries_count"u8);
        reply.Integer(libraries.Count);
        reply.Bulk("functions_count"u8);
        reply.Integer(libraries.FunctionCount);
    }

    private static void WriteRunning(CommandContext context, SlowScript slow)
    {
        var reply = context.Reply;
        reply.Map(3);
        reply.Bulk("name"u8);
        reply.Bulk(slow.Name);
        reply.Bulk("command"u8);
        reply.Array(slow.Command.Count);
        foreach (var argument in slow.Command)
        {
            reply.Bulk(argument);
        }

        reply.Bulk("duration_ms"u8);
        reply.Integer((long)context.Clock.GetElapsedTime(slow.Started).TotalMilliseconds);
    }
}
