using Strata.Server.Clients;
using Strata.Server.Commands.Model;
using Strata.Server.Resp;
using Strata.Storage.Sharding;

namespace Strata.Server.Execution;

/// <summary>Executes commands without a key, or with several, one at a time on one worker, and queues those of
/// transactions.</summary>
internal sealed class LoneExecutor
{
    private readonly ExecutionWorker _worker;
    private readonly TimeProvider _clock;

    public LoneExecutor(ExecutionWorker worker)
    {
        _worker = worker;
        _clock = worker.Server.Platform.Clock;
    }

    /// <summary>Executes a command that passed all checks.</summary>
    /// <returns>False when something it needs is not at hand: it was not executed, and the session waits.</returns>
    public bool TryExecute(Session session, CommandRow row, in Request request)
    {
        var context = Prepare(session, row, request);
        switch (EnsureRoom(context, session.Transaction.FlagsOf(row)))
        {
            case Room.OnItsWay:
                return false;
            case Room.Made when !TryExecute(context):
                return false;
            default:
                End(context);
                return true;
        }
    }

    /// <summary>Queues a command of a transaction that passed all checks.</summary>
    /// <returns>False when there is no memory for it yet: the session waits.</returns>
    public bool TryQueue(Session session, CommandRow row, in Request request, int length)
    {
        if (!_worker.Executor.HasRoom || session.Cold != null)
        {
            var context = Prepare(session, row, request);
            var room = EnsureRoom(context, session.Transaction.FlagsOf(row));
            if (room == Room.OnItsWay)
            {
                return false;
            }

            End(context);
            if (room >= Room.None)
            {
                return true;
            }
        }

        session.Transaction.Add(row, request, length, _worker.Reply);
        return true;
    }

    private CommandContext Prepare(Session session, CommandRow row, in Request request)
    {
        var context = _worker.Context;
        context.Client = session;
        context.Reply = _worker.Reply;
        context.Row = row;
        context.Request = request;
        if (_worker.Tier != null)
        {
            context.Cold = session.Cold ?? _worker.Tier.RentSet();
        }

        return context;
    }

    private void End(CommandContext context)
    {
        context.Session.Cold = null;
        _worker.Executor.EndCold(context.Cold, context.NowMs);
        context.Cold?.Return();
    }

    private Room EnsureRoom(CommandContext context, CommandFlags flags)
    {
        var (session, replyStart) = (context.Session, context.Reply.Length);
        var room = _worker.Executor.EnsureRoom(context, flags);
        if (room == Room.OnItsWay)
        {
            session.Cold = context.Cold;
            session.WaitForRoom();
        }
        else if (room >= Room.None)
        {
            _worker.Statistics.CountRejected(context.Row);
            session.Transaction.OnRefused(context.Row, context.Reply, replyStart);
        }

        return room;
    }

    private bool TryExecute(CommandContext context)
    {
        var (session, row, request) = (context.Session, context.Row, context.Request);
        var replyStart = context.Reply.Length;
        var started = _clock.GetTimestamp();
        Attempt attempt;
        while ((attempt = Execute(context, out var taken)) != Attempt.Done)
        {
            if (attempt == Attempt.LeaseTaken)
            {
                session.Cold = context.Cold;
                session.WaitForLease(taken!);
                return false;
            }

            if (attempt == Attempt.NotItsTurn)
            {
                session.Cold = context.Cold;
                session.WaitForTurn();
                return false;
            }

            if (session.TryWaitForCold(context.Cold!))
            {
                return false;
            }
        }

        if (session.IsBlocked)
        {
            End(context);
            return false;
        }

        _ = _worker.Account.Count(context, row, request, started, replyStart);
        return true;
    }

    private Attempt Execute(CommandContext context, out Shard? taken)
    {
        if (context.Row.NeedsLeases)
        {
            return _worker.Executor.ExecuteUnderLeases(context, out taken);
        }

        taken = null;
        return _worker.Executor.ExecuteUnleased(context);
    }
}
