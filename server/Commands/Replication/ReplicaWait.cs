using Strata.Server.Clients;
using Strata.Server.Clients.Waiting;
using Strata.Server.Commands.Model;
using Strata.Server.Resp;

namespace Strata.Server.Commands.Replication;

/// <summary>What WAIT and WAITAOF share: there is never a replica that could acknowledge, so who waits for one waits
/// until the time is up, or CLIENT UNBLOCK.</summary>
internal static class ReplicaWait
{
    /// <summary>Answers at once when no replica is asked for, or EXEC executes the command; otherwise waits first.
    /// </summary>
    /// <param name="context">The command.</param>
    /// <param name="replicas">Replicas that are to acknowledge.</param>
    /// <param name="timeoutMs">Milliseconds to wait at most; 0 for ever.</param>
    /// <param name="answer">Writes what was acknowledged: nothing.</param>
    public static void Execute(CommandContext context, long replicas, long timeoutMs, Action<ReplyWriter> answer)
    {
        var session = context.Session;
        switch (session.Blocked?.End)
        {
            case WaitEnd.Error:
                context.Reply.Error(Errors.Unblocked);
                break;
            case WaitEnd.Timeout:
                answer(context.Reply);
                break;
            case null when replicas <= 0 || context.IsInTransaction:
                answer(context.Reply);
                return;
            default:
                var deadlineMs = timeoutMs == 0 ? long.MaxValue : context.NowMs + timeoutMs;
                session.Block(session.Blocked ?? new BlockedCommand(session, deadlineMs));
                return;
        }

        session.EndBlocked();
    }
}
