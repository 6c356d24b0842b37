using System.Diagnostics;
using System.Runtime.CompilerServices;
using Strata.Server.Commands;
using Strata.Server.Network;
using Strata.Server.Resp;
using Strata.Storage.Index;
using Strata.Storage.Sharding;

namespace Strata.Server.Sessions;

/// <summary>
/// One client's state, and the way from its bytes to executed commands. Lives on one worker for life. A session that
/// waits (for a lease, a pause's end) is parked: its input stays where it is until <see cref="Resume"/>.
/// </summary>
public sealed unsafe class Session
{
    private readonly ServerWorker _worker;
    private readonly Connection _connection;
    private readonly LeaseNotice _notice;
    private CommandRun? _waitingRun;
    private int _waitingFirst;

    internal Session(ServerWorker worker, Connection connection, long id)
    {
        _worker = worker;
        _connection = connection;
        _notice = new LeaseNotice(this, worker.Worker);
        Id = id;
        IsAuthenticated = worker.Options.Requirepass.IsEmpty;
    }

    /// <summary>The client's number, never used again.</summary>
    public long Id { get; }

    /// <summary>2 or 3.</summary>
    public int Protocol { get; set; } = 2;

    /// <summary>The selected database, by the clients' number.</summary>
    public int Database { get; set; }

    public bool IsAuthenticated { get; set; }

    /// <summary>CLIENT NO-TOUCH: reads of this client do not mark keys as used.</summary>
    public bool NoTouch { get; set; }

    /// <summary>The row of the last command, for CLIENT LIST.</summary>
    public CommandRow? LastCommand { get; private set; }

    /// <summary>Whether the client is waiting and its input must not be read.</summary>
    public bool IsParked { get; private set; }

    /// <summary>Whether the connection ends once its replies are sent (QUIT, broken protocol).</summary>
    public bool ClosesAfterReply { get; set; }

    internal List<DeferredGroup> Groups { get; } = [];

    /// <summary>Reads and executes commands.</summary>
    /// <param name="input">The first byte of a command.</param>
    /// <param name="length">Bytes there are.</param>
    /// <param name="state">How far a command begun earlier was parsed; afterwards, how far the last one was.</param>
    /// <param name="arguments">The arguments of a command begun earlier; afterwards, those of the last one.</param>
    /// <returns>Bytes dealt with: what follows is an unfinished command, or waits until the session goes on.</returns>
    internal int Consume(byte* input, int length, ref ParseState state, ArgumentBuffer arguments)
    {
        var position = 0;
        var first = 0;
        var run = _worker.Run;
        var canRun = CanRun();
        while (position < length || state.ArgumentsLeft > 0)
        {
            first = state.ArgumentsLeft > 0 ? first : arguments.Count;
            var status = RespParser.Parse(input + position, length - position, ref state, arguments, Limits());
            if (status != ParseStatus.Complete)
            {
                if (status == ParseStatus.Error)
                {
                    RefuseInput(run, arguments, ref state);
                    return length;
                }

                break;
            }

            var start = input + position;
            var count = arguments.Count - first;
            var commandLength = state.Position;
            state = default;
            if (count > 0)
            {
                var request = new Request(start, arguments.At(first), count);
                var row = _worker.Server.Commands.Find(request[0]);
                if (canRun && row != null && row.JoinsRuns && row.AcceptsCount(count))
                {
                    AddToRun(run, row, request, start, first, commandLength);
                    position += commandLength;
                    if (!run.IsFull && position < length && input[position] == (byte)'*')
                    {
                        continue;
                    }

                    if (!ExecuteRun(run, arguments))
                    {
                        return position;
                    }
                }
                else
                {
                    if (run.Count > 0 && !ExecuteRun(run, arguments))
                    {
                        return position;
                    }

                    if (!ExecuteAlone(row, new Request(start, arguments.At(first), count)))
                    {
                        arguments.Clear();
                        return position;
                    }

                    position += commandLength;
                    canRun = CanRun();
                }
            }
            else
            {
                position += commandLength;
            }

            arguments.Clear();
            first = 0;
            if (ClosesAfterReply)
            {
                return length;
            }

            if (_worker.Reply.Length >= Storage.Limits.ReplyFlushBytes && !_connection.TryFlush())
            {
                return position;
            }
        }

        if (run.Count > 0 && !ExecuteRun(run, arguments))
        {
            // The rest, begun or not, is parsed again when the session goes on.
            state = default;
            arguments.Clear();
            return position;
        }

        arguments.RemoveFirst(Math.Min(first, arguments.Count));
        return position;
    }

    /// <summary>The session goes on with its input.</summary>
    internal void Resume()
    {
        IsParked = false;
        _connection.ProcessPending();
    }

    /// <summary>Waits for groups of a run that are in other hands.</summary>
    internal void WaitForGroups(CommandRun run, int first, int groups)
    {
        IsParked = true;
        run.PendingGroups = groups;
        _waitingRun = run;
        _waitingFirst = first;
        _worker.ReplaceRun();
    }

    /// <summary>A group came back; after the last one the replies are sent in wire order.</summary>
    internal void OnGroupDone(CommandRun run)
    {
        if (--run.PendingGroups > 0)
        {
            return;
        }

        if (!_connection.IsClosed)
        {
            _worker.Reply.Protocol = Protocol;
            run.CopyReplies(_worker.Reply, _waitingFirst);
        }

        foreach (var group in Groups)
        {
            _worker.Return(group);
        }

        Groups.Clear();
        _waitingRun = null;
        _worker.Return(run);
        Resume();
    }

    /// <summary>Notes a command that was executed.</summary>
    internal void NoteCommand(CommandRow row) => LastCommand = row;

    private bool CanRun() => IsAuthenticated && _worker.Options.SgGet;

    private RespLimits Limits()
    {
        var maxBulk = _worker.Options.ProtoMaxBulkLengthBytes;
        return IsAuthenticated
            ? new RespLimits(Storage.Limits.MaxArguments, maxBulk, maxBulk)
            : new RespLimits(Storage.Limits.MaxUnauthenticatedArguments, maxBulk,
                Storage.Limits.MaxUnauthenticatedBulkBytes);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void AddToRun(CommandRun run, CommandRow row, in Request request, byte* start, int first, int length)
    {
        var database = _worker.Server.Databases.PhysicalOf(Database);
        var key = new Key(request.Pointer(1), request.Length(1), database);
        _worker.Server.Shards.Of(key.Hash).Index.Prefetch(key.Hash);
        run.Add(row, key, start, first, request.Count, length);
    }

    private bool ExecuteRun(CommandRun run, ArgumentBuffer arguments)
    {
        if (!_worker.RunExecutor.TryExecute(this, run, arguments))
        {
            return false;
        }

        run.Clear();
        return true;
    }

    private void RefuseInput(CommandRun run, ArgumentBuffer arguments, ref ParseState state)
    {
        if (run.Count > 0)
        {
            _ = ExecuteRun(run, arguments);
        }

        _worker.Reply.Error(ProtocolErrors.Text(state));
        ClosesAfterReply = true;
        state = default;
        arguments.Clear();
    }

    /// <summary>Checks and executes one command.</summary>
    /// <returns>False when it has to wait: it was not executed.</returns>
    private bool ExecuteAlone(CommandRow? row, in Request request)
    {
        var reply = _worker.Reply;
        if (!CommandCheck.TryResolve(_worker, this, ref row, request))
        {
            return true;
        }

        var context = _worker.Context;
        context.Session = this;
        context.Reply = reply;
        context.Row = row!;
        context.Request = request;
        if (!_worker.Executor.HasRoom(context))
        {
            _worker.Statistics.CountRejected(row!);
            return true;
        }

        var errors = reply.Errors;
        var started = Stopwatch.GetTimestamp();
        var taken = Execute(context);
        if (taken != null)
        {
            IsParked = true;
            taken.Lease.Queue(taken, _notice);
            return false;
        }

        var nanoseconds = (long)((Stopwatch.GetTimestamp() - started) * (1e9 / Stopwatch.Frequency));
        _worker.Statistics.Count(row!, 1, nanoseconds, _worker.Options.LatencyTracking);
        _worker.Statistics.CountLookups(context);
        if (reply.Errors != errors)
        {
            _worker.Statistics.CountFailed(row!);
        }

        LastCommand = row;
        return true;
    }

    private Shard? Execute(CommandContext context)
    {
        var row = context.Row;
        if (row.IsSingleKey)
        {
            context.Key = context.KeyAt(1);
            context.Shard = context.ShardOf(context.Key);
            return _worker.Executor.TryExecuteKeyed(context) ? null : context.Shard;
        }

        if (row.Keys.First > 0 || row.Has(CommandFlags.AllShards))
        {
            return _worker.Executor.ExecuteUnderLeases(context);
        }

        _worker.Executor.ExecuteLeased(context);
        return null;
    }
}
