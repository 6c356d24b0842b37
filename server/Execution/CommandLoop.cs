using System.Runtime.CompilerServices;
using Strata.Server.Clients;
using Strata.Server.Clients.Access;
using Strata.Server.Commands.Model;
using Strata.Server.Commands.Scripting;
using Strata.Server.Commands.Shared;
using Strata.Server.Execution.Runs;
using Strata.Server.Messaging;
using Strata.Server.Persistence;
using Strata.Server.Resp;
using Strata.Storage.Index;

namespace Strata.Server.Execution;

/// <summary>
/// The way from a client's bytes to executed commands, on one worker: reads commands as long as there are whole ones,
/// gathers single-key commands into runs, and executes everything else alone, all in wire order.
/// </summary>
internal sealed unsafe class CommandLoop
{
    private readonly ExecutionWorker _worker;
    private readonly RunExecutor _runs;
    private readonly MessageHub _messages;
    private readonly InlineLine _inlineLine = new();

    public CommandLoop(ExecutionWorker worker)
    {
        _worker = worker;
        _runs = new RunExecutor(worker);
        _messages = worker.Services.Messages;
    }

    /// <summary>Reads and executes commands.</summary>
    /// <param name="session">Whose input it is.</param>
    /// <param name="input">The first byte of a command.</param>
    /// <param name="length">Bytes there are.</param>
    /// <param name="state">How far a command begun earlier was parsed; afterwards, how far the last one was.</param>
    /// <param name="arguments">The arguments of a command begun earlier; afterwards, those of the last one.</param>
    /// <returns>Bytes dealt with: what follows is an unfinished command, or waits until the session goes on.</returns>
    public int Consume(Session session, byte* input, int length, ref ParseState state, ArgumentBuffer arguments)
    {
        var position = 0;
        return state.IsRefused && !TryPassRefused(session, input, length, ref state, arguments, out position)
            ? position
            : Consume(session, input, length, position, ref state, arguments);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)] // There is one caller.
    private int Consume(
        Session session, byte* input, int length, int position, ref ParseState state, ArgumentBuffer arguments)
    {
        var limits = LimitsOf(session);
        var prefix = default(CommandPrefix);
        while (position < length && !MustLetServe(session))
        {
            var first = state.ArgumentsLeft > 0 ? 0 : arguments.Count;
            var isRepeated = prefix.TryRepeat(input + position, length - position, ref state, arguments);
            if (InlineLine.IsAt(input + position))
            {
                _inlineLine.Keep(input + position, length - position);
            }

            var status = isRepeated && state.ArgumentsLeft == 0
                ? ParseStatus.Complete
                : RespParser.Parse(input + position, length - position, ref state, arguments, limits);
            if (status == ParseStatus.NeedMore)
            {
                return EndInput(session, position, length, first, ref state, arguments);
            }

            if (status == ParseStatus.Error)
            {
                // Behind a run that waits it is met again when the session goes on.
                return TryRefuse(session, input + position, ref state, arguments) ? length : position;
            }

            var command = new ParsedCommand(first, arguments.Count - first, state.Position);
            state = default;
            var isDone = isRepeated
                ? TryRepeat(session, input + position, command, arguments, ref prefix)
                : TryExecute(session, input + position, command, arguments, ref prefix);
            if (isDone)
            {
                position += command.Length;
            }
            else
            {
                RestoreLine(input + position);
            }

            if (isDone && _worker.Run.Count > 0)
            {
                // A run goes on as long as another command seems to follow.
                if (!_worker.Run.IsFull && position < length && input[position] == (byte)'*')
                {
                    continue;
                }

                isDone = TryExecuteRun(session, arguments, isLast: position == length);
            }

            arguments.Clear();
            if (!isDone || MustStop(session, position < length))
            {
                return session.ClosesAfterReply ? length : position;
            }

            limits = LimitsOf(session);
        }

        return position;
    }

    /// <summary>Adds a command that begins like the one before it to the run, or executes it.</summary>
    /// <returns>False when it must wait: it was not executed.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private bool TryRepeat(
        Session session, byte* start, in ParsedCommand command, ArgumentBuffer arguments, ref CommandPrefix prefix)
    {
        var row = prefix.Row!;
        var request = new Request(start, arguments.At(command.First), command.Count);
        if (!row.Has(CommandFlags.ExecutesScript)
            && (session.Restriction is not { } user || AccessCheck.AllowsInRun(user, row, request)))
        {
            AddToRun(session, row, start, command, arguments);
            return true;
        }

        if (!session.MayRun || session.Restriction != null)
        {
            return TryExecute(session, start, command, arguments, ref prefix);
        }

        ExecuteScript(session, row, start, command, arguments, ref prefix);
        return true;
    }

    /// <summary>Adds a command to the run, or executes it.</summary>
    /// <returns>False when it must wait: it was not executed.</returns>
    private bool TryExecute(
        Session session, byte* start, in ParsedCommand command, ArgumentBuffer arguments, ref CommandPrefix prefix)
    {
        prefix.Forget();
        if (command.Count == 0)
        {
            return true; // An empty line, or an array without elements.
        }

        var request = new Request(start, arguments.At(command.First), command.Count);
        var row = session.Commands.Find(request[0]);
        var mayRun = row != null && row.AcceptsCount(command.Count) && session.MayRunUnseen(row, request);
        if (mayRun && row!.JoinsRuns(command.Count))
        {
            AddToRun(session, row, start, command, arguments);
            prefix.Remember(start, row, arguments, command);
            return true;
        }

        if (!TryExecuteRun(session, arguments) || MustLetServe(session) || TryYield(session))
        {
            return false;
        }

        if (mayRun && row!.Has(CommandFlags.ExecutesScript))
        {
            prefix.Remember(start, row, arguments, command);
            ExecuteScript(session, row, start, command, arguments, ref prefix);
            return true;
        }

        return TryExecuteChecked(session, row, start, command, arguments);
    }

    /// <summary>Executes a command that executes a script, of a session whose commands nobody looks at one by one, or
    /// begins to: a session that waits goes on behind it.</summary>
    private void ExecuteScript(
        Session session,
        CommandRow row,
        byte* start,
        in ParsedCommand command,
        ArgumentBuffer arguments,
        ref CommandPrefix prefix)
    {
        if (session.LastCommand != row)
        {
            session.LastCommand = row;
        }

        var script = prefix.Script;
        var replyStart = _worker.Reply.Length;
        var request = new Request(start, arguments.At(command.First), command.Count);
        _ = _worker.Lone.TryExecuteScript(session, row, request, command.Length, ref script);
        if (session.IsGated)
        {
            EndGated(session, row, request, replyStart); // Since others were served in its midst.
        }

        if (script.Known != null && prefix.Script.Known == null && row.Is(EvalSha.Row))
        {
            prefix.RememberScript(start, arguments, command, script);
        }
    }

    /// <summary>Executes a command that is in no run, after all checks; what stands between the client and its commands
    /// is dealt with before and after.</summary>
    /// <returns>False when it must wait for the end of CLIENT PAUSE: nothing was done.</returns>
    private bool TryExecuteChecked(
        Session session, CommandRow? row, byte* start, in ParsedCommand command, ArgumentBuffer arguments)
    {
        var request = new Request(start, arguments.At(command.First), command.Count);
        var replyStart = _worker.Reply.Length;
        var isValid = CommandCheck.TryResolve(_worker, session, ref row, request);
        if (isValid)
        {
            if (session.IsGated)
            {
                if (_worker.Gates.Holds(session, session.Transaction.FlagsOf(row!, request)))
                {
                    return false;
                }

                _worker.Input.Movable = null; // Monitors are shown the command when it has been executed.
            }

            ExecuteAlone(session, row!, start, command, arguments);
        }
        else
        {
            session.Transaction.OnRefused(row, _worker.Reply, replyStart);
        }

        if (session.IsGated)
        {
            EndGated(session, isValid ? row : null, request, replyStart);
        }

        return true;
    }

    private void EndGated(Session session, CommandRow? row, in Request request, int replyStart)
    {
        if (!session.IsParked)
        {
            session.EndCommand(row, _worker.Reply, replyStart);
        }

        if (row != null && !session.Transaction.Queues(row))
        {
            _worker.Gates.Feed(session, row, request);
        }
    }

    /// <summary>Executes a command, or begins to: a session that waits goes on behind it.</summary>
    private void ExecuteAlone(
        Session session, CommandRow row, byte* start, in ParsedCommand command, ArgumentBuffer arguments)
    {
        if (row.IsSingleKey(command.Count) && !session.Transaction.Queues(row)
            && _worker.Services.Snapshots.Gate is not (WriteGate.Held or WriteGate.Ended)) // Looked at again there.
        {
            AddToRun(session, row, start, command, arguments);
            _ = TryExecuteRun(session, arguments);
        }
        else
        {
            var request = new Request(start, arguments.At(command.First), command.Count);
            _ = _worker.Lone.TryExecute(session, row, request, command.Length);
        }
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void AddToRun(
        Session session, CommandRow row, byte* start, in ParsedCommand command, ArgumentBuffer arguments)
    {
        var argument = arguments.At(command.First + 1);
        if (_worker.Run.Count == 0)
        {
            _worker.Run.DatabaseVersion = _worker.Server.Databases.Version;
        }

        var database = _worker.Server.Databases.PhysicalOf(session.Database);
        var key = new Key(start + argument->Offset, argument->Length, database);
        session.Prefetch(key.Hash);
        _worker.Run.Add(row, key, start, command);
    }

    /// <summary>Executes the run so far.</summary>
    /// <returns>False when parts of it are in other hands: the session waits.</returns>
    private bool TryExecuteRun(Session session, ArgumentBuffer arguments, bool isLast = false)
    {
        var run = _worker.Run;
        if (run.Count == 0)
        {
            return true;
        }

        if (!_runs.TryExecute(session, run, arguments, isLast))
        {
            return false;
        }

        run.Clear();
        return true;
    }

    private int EndInput(
        Session session, int position, int length, int first, ref ParseState state, ArgumentBuffer arguments)
    {
        if (!TryExecuteRun(session, arguments))
        {
            // The unfinished command is parsed again when the session goes on.
            state = default;
            arguments.Clear();
            return position;
        }

        arguments.RemoveFirst(first);
        if (HeldRoom.IsFree(_worker.Budget, length - position))
        {
            return position;
        }

        session.Connection.KeepInput();
        var room = RoomToReceive(state.LeastLength, mayRefuse: !session.IsLoader);
        if (room == Room.OnItsWay)
        {
            session.WaitToReceive();
        }

        if (room >= Room.None && state.ArgumentsLeft == 0)
        {
            EndLine(session, room);
            return length;
        }

        state.IsRefused = room >= Room.None;
        return state.IsRefused ? position + Forget(length - position, ref state, arguments) : position;
    }

    /// <summary>There is no memory for a line, of which nobody knows how long it becomes.</summary>
    private void EndLine(Session session, Room room)
    {
        _worker.Executor.Refuse(_worker.Reply, room);
        session.ClosesAfterReply = true;
        _worker.Server.Log.NoMemoryForClient(session.Id, session.Connection.Address.ToString());
    }

    /// <summary>Whether there is memory for what a client sends that has begun a command. Keys make room for it, and
    /// where there are none that may, it is let in until memory is at its end, and the journal's in any case.</summary>
    /// <param name="length">Bytes of the command, as far as is known.</param>
    /// <param name="mayRefuse">Whether it may be refused.</param>
    private Room RoomToReceive(long length, bool mayRefuse)
    {
        var budget = _worker.Budget;
        if (mayRefuse && budget.CanNeverHold(length))
        {
            return Room.None; // Nothing is evicted in vain.
        }

        var isShort = budget.IsFarOver || budget.IsBehind;
        var room = isShort ? _worker.Executor.EnsureRoom(_worker.Worker.NowMs) : Room.Made;
        return !budget.WouldPassEndNow(0) ? Room.Made
            : room == Room.Made ? Room.OnItsWay : mayRefuse ? room : Room.Made;
    }

    private static int Forget(int length, ref ParseState state, ArgumentBuffer arguments)
    {
        arguments.Clear();
        return state.Skip(length);
    }

    /// <summary>Reads on in a command for which there was no memory, and refuses it at its end.</summary>
    /// <param name="session">Whose input it is.</param>
    /// <param name="input">What has come of it and was not forgotten.</param>
    /// <param name="length">Bytes there are.</param>
    /// <param name="state">How far the command was parsed.</param>
    /// <param name="arguments">Of no use.</param>
    /// <param name="position">Bytes dealt with.</param>
    /// <returns>Whether the next command may follow.</returns>
    private bool TryPassRefused(
        Session session, byte* input, int length, ref ParseState state, ArgumentBuffer arguments, out int position)
    {
        var status = RespParser.Parse(input, length, ref state, arguments, LimitsOf(session));
        if (status == ParseStatus.NeedMore)
        {
            position = Forget(length, ref state, arguments);
            return false;
        }

        if (status == ParseStatus.Error)
        {
            position = TryRefuse(session, input, ref state, arguments) ? length : 0;
            return false;
        }

        position = state.Position;
        state = default;
        arguments.Clear();
        var replyStart = _worker.Reply.Length;
        _worker.Executor.Refuse(_worker.Reply, _worker.Executor.Shortage);
        session.Transaction.OnRefused(row: null, _worker.Reply, replyStart);
        if (session.IsGated)
        {
            session.EndCommand(_worker.Reply, replyStart);
        }

        return true;
    }

    /// <summary>Answers bytes that are no command, after which nothing is read.</summary>
    /// <returns>False when the run before them must wait.</returns>
    private bool TryRefuse(Session session, byte* start, ref ParseState state, ArgumentBuffer arguments)
    {
        var isDone = TryExecuteRun(session, arguments);
        if (!isDone)
        {
            RestoreLine(start);
        }
        else if (!session.IsMuted)
        {
            _worker.Reply.Error(ProtocolErrors.Text(state));
        }

        session.ClosesAfterReply = isDone;
        state = default;
        arguments.Clear();
        return isDone;
    }

    /// <summary>Puts a line back as it came, which is parsed again.</summary>
    private void RestoreLine(byte* command)
    {
        if (InlineLine.IsAt(command))
        {
            _inlineLine.Restore(command);
        }
    }

    /// <summary>Whether the session does not go on with its next command now.</summary>
    private bool MustStop(Session session, bool hasMore)
    {
        if (session.IsParked || session.ClosesAfterReply || !HasOutputRoom(session))
        {
            return true;
        }

        if (_messages.IsBehind)
        {
            _messages.Wait(session);
            return true;
        }

        return hasMore && TryYield(session);
    }

    /// <summary>Lets others have their turn before the session's next command, if its last ones have taken long.
    /// </summary>
    private bool TryYield(Session session)
    {
        if (!_worker.Account.IsTurnSpent || session.IsLoader || _worker.IsWithinScript)
        {
            return false;
        }

        session.Park();
        session.PostResume();
        return true;
    }

    /// <summary>Whether the session waits until those are served whom its last commands have woken.</summary>
    private static bool MustLetServe(Session session) => session.IsOthersTurn && session.TryParkForTurn();

    private bool HasOutputRoom(Session session)
    {
        if (_worker.Reply.Length < ServerLimits.ReplyFlushBytes)
        {
            return true;
        }

        _worker.Account.Forget();
        return session.Connection.TryFlush();
    }

    private RespLimits LimitsOf(Session session)
    {
        var maxBulk = _worker.Options.ProtoMaxBulkLengthBytes;
        return session.IsAuthenticated
            ? new RespLimits(ServerLimits.MaxArguments, maxBulk, maxBulk)
            : new RespLimits(
                ServerLimits.MaxUnauthenticatedArguments, maxBulk, ServerLimits.MaxUnauthenticatedBulkBytes);
    }
}
