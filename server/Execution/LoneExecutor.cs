using Strata.Server.Clients;
using Strata.Server.Clients.Waiting;
using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;
using Strata.Server.Execution.Scripts;
using Strata.Server.Persistence;
using Strata.Server.Resp;
using Strata.Storage.Index;
using Strata.Storage.Leases;
using Strata.Storage.Memory;
using Strata.Storage.Runtime;
using Strata.Storage.Tiering;

namespace Strata.Server.Execution;

/// <summary>Executes commands without a key, or with several, one at a time on one worker, and queues those of
/// transactions. One that must wait is kept, and the session goes on when it was executed.</summary>
internal sealed unsafe class LoneExecutor
{
    private readonly ExecutionWorker _worker;
    private readonly ScriptShortcut _shortcut;

    public LoneExecutor(ExecutionWorker worker)
    {
        _worker = worker;
        _shortcut = new ScriptShortcut(worker);
        Suspended = new(
            () => new SuspendedCommand(this, worker),
            static command => command.Clear(),
            ServerLimits.MaxFreeSuspendedCommands,
            worker.Budget,
            SuspendedCommand.ManagedBytes);
    }

    /// <summary>The commands that wait.</summary>
    public Pool<SuspendedCommand> Suspended { get; }

    /// <summary>Executes a command that passed all checks, or queues it in its transaction.</summary>
    /// <param name="session">Whose it is.</param>
    /// <param name="row">The command.</param>
    /// <param name="request">Its arguments.</param>
    /// <param name="length">Bytes that it was sent in.</param>
    /// <returns>False when it must wait: it is kept, and the session goes on when it is done.</returns>
    public bool TryExecute(Session session, CommandRow row, in Request request, int length)
    {
        SendRepliesBefore(row);
        var context = Prepare(session, row, request, _worker.Tier?.RentSet());
        SuspendedCommand? command = null;
        try
        {
            var attempt = Execute(context, length, command: null, out var taken);
            if (attempt != Attempt.Done)
            {
                command = Suspended.Rent();
                command.Take(context, length);
                if (!TryFinish(context, command, attempt, taken))
                {
                    return false;
                }
            }
        }
        catch
        {
            Return(command, context.Cold);
            throw;
        }

        EndCold(context);
        Return(command, context.Cold);
        return true;
    }

    /// <summary>Executes a command that executes a script, of a session whose commands nobody looks at one by one: at
    /// once, where nothing stands in the way, and else as any other.</summary>
    /// <param name="session">Whose it is.</param>
    /// <param name="row">The command.</param>
    /// <param name="request">Its arguments.</param>
    /// <param name="length">Bytes that it was sent in.</param>
    /// <param name="script">The script, if it is known; afterwards, what was found.</param>
    /// <returns>False when it must wait: it is kept, and the session goes on when it is done.</returns>
    public bool TryExecuteScript(
        Session session, CommandRow row, in Request request, int length, ref FoundScript script)
    {
        SendRepliesBefore(row);
        var context = Prepare(session, row, request, cold: null);
        var start = context.Reply.Length;
        var started = _worker.Account.Start();
        if (!_shortcut.TryExecute(context, ref script))
        {
            script = default;
            return TryExecute(session, row, request, length);
        }

        session.Cost.Count(1, _worker.Account.Count(context, row, request, started, start) - started);
        return true;
    }

    /// <summary>Goes on with a command whose wait has ended. Of a client that has gone it is executed all the same if
    /// it changes something; what only reads, and what would give it something, is not.</summary>
    /// <returns>False when it must wait again.</returns>
    public bool TryContinue(Session session, SuspendedCommand command)
    {
        var row = command.Row;
        if (session.Connection.IsClosed && command.ServesClientAlone)
        {
            return true;
        }

        _worker.Account.Forget();
        if (session.Blocked is { End: WaitEnd.None } && row.Keys.AreKeys && IsForbiddenByNow(session, command))
        {
            return true;
        }

        var context = Prepare(session, row, command.Request, command.Cold ?? _worker.Tier?.RentSet());
        command.Cold = context.Cold;
        context.Claim = command.Claim.IsHeld ? command.Claim : null;
        context.CommandRoom = command.CommandRoom;
        context.Taken = command.Input;
        var start = context.Reply.Length;
        var attempt = Execute(context, command.Length, command, out var taken);
        if (!TryFinish(context, command, attempt, taken))
        {
            return false;
        }

        EndCold(context);

        if (!session.IsParked)
        {
            session.EndCommand(row, context.Reply, start);
        }

        return true;
    }

    /// <summary>Others do not wait for the end of a command that may take long.</summary>
    private void SendRepliesBefore(CommandRow row)
    {
        if (!row.Has(CommandFlags.Fast))
        {
            _worker.Replies.Send();
        }
    }

    private CommandContext Prepare(Session session, CommandRow row, in Request request, ColdReadSet? cold)
    {
        var context = _worker.Context;
        context.Client = session;
        context.Reply = _worker.Reply;
        context.Row = row;
        context.Request = request;
        context.Cold = cold;
        context.Claim = null;
        context.CommandRoom = null;
        context.Taken = null;
        context.Borrower = Quiescence.Nobody;
        return context;
    }

    /// <summary>Answers an error if the client's user has lost the rights to a command while it waited for a key.
    /// </summary>
    private bool IsForbiddenByNow(Session session, SuspendedCommand command)
    {
        var start = _worker.Reply.Length;
        if (CommandCheck.IsAllowed(_worker, session, command.Row, command.Request))
        {
            return false;
        }

        session.EndBlocked();
        session.EndUnfinished();
        session.EndCommand(command.Row, _worker.Reply, start);
        return true;
    }

    /// <summary>Lets a command wait that could not be executed.</summary>
    /// <returns>Whether it was executed after all: what it waited for had come meanwhile.</returns>
    private bool TryFinish(CommandContext context, SuspendedCommand command, Attempt attempt, ShardLease? taken)
    {
        while (attempt != Attempt.Done)
        {
            if (TryWait(context, command, attempt, taken))
            {
                return false;
            }

            attempt = Execute(context, command.Length, command, out taken);
        }

        return true;
    }

    /// <summary>Lets the session wait for what a command needs.</summary>
    /// <returns>False when that is there.</returns>
    private bool TryWait(CommandContext context, SuspendedCommand command, Attempt attempt, ShardLease? taken)
    {
        var session = context.Session;
        if (attempt == Attempt.Cold && command.Cold is { ShortBytes: > 0 and var bytes } cold)
        {
            attempt = AskForReads(context, cold, bytes);
        }

        if ((attempt == Attempt.Cold && !command.Cold!.TryStart(session))
            || (attempt == Attempt.NotItsTurn && !session.TryWaitForTurn())
            || (attempt == Attempt.WantsRoom && command.TryMakeRoom(context.NowMs)))
        {
            return false;
        }

        if (attempt != Attempt.LeaseTaken)
        {
            command.Claim.Abandon(); // What it waits for may need the leases.
        }
        else if (command.TryClaim())
        {
            context.Claim = command.Claim; // From here on nobody else takes them.
            return false;
        }

        if (attempt == Attempt.Unfinished && IsOfManyNames(context) && !command.IsDivided)
        {
            command.Divide();
        }

        command.Waits = 1;
        session.WaitFor(command);
        switch (attempt)
        {
            case Attempt.LeaseTaken when command.Claim.IsHeld:
                command.Claim.Await(session);
                break;
            case Attempt.LeaseTaken:
                session.WaitForLease(taken!);
                break;
            case Attempt.NotItsTurn: // Who comes first may need the memory.
                ReturnCold(context, command);
                break;
            case Attempt.NoRoom:
            case Attempt.WantsRoom:
                _worker.WaitForRoom(session);
                break;
            case Attempt.Blocked: // It may be long: what it has read is of no use then.
                ReturnCold(context, command);
                break;
            case Attempt.Unfinished: // It waits for nobody, and needs in its next step what it has read.
                session.PostStep();
                break;
        }

        return true;
    }

    /// <summary>A command needs more records from the device than memory has room for what is known of them: it waits
    /// for that, holding none, or is refused.</summary>
    private Attempt AskForReads(CommandContext context, ColdReadSet cold, long bytes)
    {
        if (cold.IsReading)
        {
            cold.ForgetUnread(); // A collection is being made large. What is missing then is asked for again.
        }
        else if (!cold.MayHold(bytes) || !_worker.Executor.MayMakeRoom(context))
        {
            cold.EndShortage(isTaken: context.Session.IsLoader);
        }
        else
        {
            cold.Clear();
            context.CommandRoom!.Want(bytes);
            return Attempt.WantsRoom;
        }

        return Attempt.Cold;
    }

    private Attempt Execute(
        CommandContext context, int length, SuspendedCommand? command, out ShardLease? taken)
    {
        context.IsContinued = command is { IsContinued: true };
        context.HasMore = false;
        var attempt = TryOnce(context, length, command, out taken);
        if (attempt == Attempt.Done)
        {
            // Whatever it answered: one that failed has not done so itself.
            context.Session.EndBlocked();
            context.Session.EndUnfinished();
        }

        return attempt;
    }

    private Attempt TryOnce(
        CommandContext context, int length, SuspendedCommand? command, out ShardLease? taken)
    {
        var (session, row, start) = (context.Session, context.Row, context.Reply.Length);
        taken = null;

        // What blocked had room when it came, and moves what is there, or ends with nothing; what was begun goes on.
        var room = session.Blocked == null && !context.IsContinued
            ? EnsureRoom(context, length)
            : Room.Made;
        var gate = room == Room.Made ? _worker.Services.Snapshots.Gate : WriteGate.Open; // Else it has been answered.
        if (room == Room.OnItsWay || (gate == WriteGate.Held
            && IsToDo(session, row, CommandFlags.Write | CommandFlags.ExecutesScript))) // What is saved comes first.
        {
            return Attempt.NoRoom;
        }

        if (room == Room.Made && AtOnce(context) is var bytes and > 0 && _worker.Budget.WouldPassEndNow(bytes))
        {
            if (!_worker.Budget.CanNeverHold(bytes) && _worker.Executor.MayMakeRoom(context))
            {
                context.CommandRoom?.Want(bytes);
                return Attempt.WantsRoom;
            }

            if (!session.IsLoader)
            {
                room = Room.None;
                _worker.Executor.Refuse(context.Reply, room);
            }
        }

        if (room == Room.Made && gate == WriteGate.Ended && IsToDo(session, row, CommandFlags.Write))
        {
            room = Room.None; // It came before the last snapshot was done, and would change something behind it.
            context.Reply.Error(SnapshotErrors.Of(WriteGate.Ended));
        }

        if (room >= Room.None)
        {
            _worker.Statistics.CountRejected(row);
            session.Transaction.OnRefused(row, context.Reply, start);
            return Attempt.Done;
        }

        if (session.Transaction.Queues(row))
        {
            session.Transaction.Add(row, context.Request, length, context.Reply);
            return Attempt.Done;
        }

        return command is not { IsDivided: true } && IsOfManyNames(context)
            ? Attempt.Unfinished
            : Call(context, command, out taken);
    }

    /// <summary>Memory that a command takes at once beside what was received: the keys of so many are listed, unless
    /// they are looked at one by one.</summary>
    private long AtOnce(CommandContext context)
        => context.Count > ServerLimits.FreeArguments && context.Session is { Blocked: null, Unfinished: null }
            ? (KeyPass.GoesOneByOne(context) ? 0 : (long)context.Count * sizeof(Key)) + HeldRoom.BytesOf(context)
            : _worker.Executor.Changes.BytesOfQueue(context);

    /// <summary>Whether a command is executed now, and not queued, and it or its transaction is of one of these kinds.
    /// </summary>
    private static bool IsToDo(Session session, CommandRow row, CommandFlags kinds)
        => (session.Transaction.FlagsOf(row) & kinds) != 0 && !session.Transaction.Queues(row);

    /// <summary>Makes room for a command. A script may do without: its commands find out what they need.</summary>
    private Room EnsureRoom(CommandContext context, int length)
    {
        if (!context.Row.Has(CommandFlags.ExecutesScript))
        {
            return _worker.Executor.EnsureRoom(context, FlagsOf(context.Session, context.Row, length));
        }

        var isJournalBehind = _worker.Services.Journal is { IsStalled: true, Problem: null };
        return isJournalBehind || _worker.Executor.EnsureRoom(context.NowMs) == Room.OnItsWay
            ? Room.OnItsWay
            : Room.Made;
    }

    /// <summary>What a command needs, in its transaction and for what the server will hold for its client. Of one that
    /// may wait nothing is held if it does not, and it may be what frees memory.</summary>
    private static CommandFlags FlagsOf(Session session, CommandRow row, int length)
    {
        var flags = session.Transaction.FlagsOf(row);
        var bytes = length + session.HeldBytes;
        return (row.Has(CommandFlags.HoldsMemory) && !HeldRoom.IsFree(session.Worker.Budget, bytes))
            || (row.Has(CommandFlags.Blocking) && bytes > ServerLimits.FreelyHeldBytes)
            ? flags | CommandFlags.DenyOom
            : flags;
    }

    /// <summary>Whether a command is to be executed in parts. While its worker is in a script there are no turns to
    /// come.</summary>
    private bool IsOfManyNames(CommandContext context)
        => context.Row.Has(CommandFlags.Divisible) && context.Count > 1 + ServerLimits.NamesAtOnce
            && !_worker.IsWithinScript;

    private Attempt Call(CommandContext context, SuspendedCommand? command, out ShardLease? taken)
    {
        taken = null;
        var (row, request, start) = (context.Row, context.Request, context.Reply.Length);
        var started = _worker.Account.Start();
        var attempt = row.NeedsLeases
            ? _worker.Executor.ExecuteUnderLeases(context, out taken)
            : _worker.Executor.ExecuteUnleased(context);
        if (attempt != Attempt.Done)
        {
            return attempt;
        }

        if (context.Session.IsBlocked)
        {
            return Attempt.Blocked;
        }

        if (HasMore(context, command, start))
        {
            if (command != null)
            {
                command.IsContinued = true;
                command.SpentTicks += _worker.Server.Platform.Clock.GetTimestamp() - started;
            }

            _worker.Account.Forget();
            return Attempt.Unfinished;
        }

        request = command is { IsDivided: true } ? command.Whole : request;
        started -= command?.SpentTicks ?? 0;
        context.Session.Cost.Count(1, _worker.Account.Count(context, row, request, started, start) - started);
        return Attempt.Done;
    }

    /// <summary>A command was executed, or a part of one: whether another one follows.</summary>
    /// <param name="context">What it was executed with.</param>
    /// <param name="command">What is kept of it; null where it has not waited.</param>
    /// <param name="start">Where its reply begins. It has one for each name, or, as WATCH, one for all.</param>
    private static bool HasMore(CommandContext context, SuspendedCommand? command, int start)
    {
        if (command is not { IsDivided: true })
        {
            return context.HasMore;
        }

        var reply = context.Reply;
        if ((reply.Length > start && reply.Start[start] == (byte)'-') || !command.TryGoOn())
        {
            return false;
        }

        if (!context.Row.Has(CommandFlags.PubSub))
        {
            reply.Rewind(start);
        }

        return true;
    }

    /// <summary>Gives back what a command has read from the device: it begins anew.</summary>
    private static void ReturnCold(CommandContext context, SuspendedCommand command)
    {
        EndCold(context);
        command.Cold?.Return();
        command.Cold = null;
    }

    private static void EndCold(CommandContext context) => context.Cold?.End(context.NowMs);

    /// <summary>Gives back what a command was executed with.</summary>
    private void Return(SuspendedCommand? command, ColdReadSet? cold)
    {
        if (command != null)
        {
            Suspended.Return(command);
        }
        else
        {
            cold?.Return();
        }
    }
}
