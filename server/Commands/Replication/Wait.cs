using Strata.Server.Commands.Blocking;
using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Replication;

/// <summary>WAIT numreplicas timeout</summary>
internal static class Wait
{
    public static readonly CommandRow Row = new("wait", 3, CommandFlags.Blocking, KeySpec.None, Execute)
    {
        Group = CommandGroup.Generic,
        Categories = AclCategories.Connection,
        Since = "3.0.0",
        Summary = "Waits until replicas have what the client wrote: there are none, so until the time is up.",
        Complexity = "O(1)",
        Tips = ["request_policy:all_shards", "response_policy:agg_min"],
        Syntax = "numreplicas timeout",
    };

    private static void Execute(CommandContext context)
    {
        if (context.TryInteger(1, out var replicas)
            && BlockingTimeout.TryReadMilliseconds(context, 2, out var timeoutMs))
        {
            ReplicaWait.Execute(context, replicas, timeoutMs, static reply => reply.Integer(0));
        }
    }
}
