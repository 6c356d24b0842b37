using System.Text;
using Strata.Server.Clients;
using Strata.Server.Clients.Access;
using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;
using Strata.Server.Execution.Leases;
using Strata.Server.Options;
using Strata.Server.Persistence;
using Strata.Server.Resp;
using Strata.Server.Scripting;
using Strata.Storage;
using Strata.Storage.Index;

namespace Strata.Server.Execution.Scripts;

/// <summary>What the script at work on one worker asks for: its commands, found and checked as a client's, and executed
/// under the leases that are held for it.</summary>
internal sealed unsafe class ScriptCalls : IScriptHost, IDisposable
{
    private readonly ExecutionWorker _worker;
    private readonly RunningScript _running;
    private readonly TimeProvider _clock;
    // Where leases are taken, who gives them back settles the shards.
    private readonly TouchedShards? _touched;
    private CommandContext _context = null!;
    private Executable _script = null!;
    private Request _request;
    private long _started;
    private long _lastTurn;
    private bool _isReadOnly;
    private bool _isInner;
    private bool _hasRoom;
    private bool _hasChanged;

    public ScriptCalls(ExecutionWorker worker)
    {
        _worker = worker;
        _running = worker.Services.Scripts.Of(worker.Number);
        _clock = worker.Server.Platform.Clock;
        _touched = worker.Server.WorkerCount == 1 ? new TouchedShards(worker.Server.Shards) : null;
        Leases = new ScriptLeases(worker.Server.Shards, areLeasesTaken: _touched == null);
        Reply = new ReplyWriter(worker.Errors, worker.Budget, isSeldomUsed: true)
        {
            MayRefuse = worker.Reply.MayRefuse,
        };
    }

    /// <summary>Where the commands' replies go.</summary>
    public ReplyWriter Reply { get; }

    /// <summary>Bytes charged to the budget.</summary>
    public long ChargedBytes => Reply.ChargedBytes;

    /// <summary>The first key that the script declares, hashed; null where it has none.</summary>
    public Key Declared { get; set; }

    /// <summary>How the last script has ended.</summary>
    public ScriptEnd End { get; private set; }

    /// <summary>The leases that the script is executed under.</summary>
    public ScriptLeases Leases { get; }

    /// <summary>Whether the server has ended a script in the midst of its changes.</summary>
    public bool IsAbandoned => _running.IsAbandoned;

    /// <summary>No script has ended yet.</summary>
    public void ForgetEnd() => End = ScriptEnd.Whole;

    /// <summary>Whether a script may begin only where there is memory for what it may write.</summary>
    public static bool NeedsRoom(ScriptFlags flags)
        => (flags & (ScriptFlags.NoWrites | ScriptFlags.Undeclared | ScriptFlags.AllowOom)) == 0;

    /// <summary>Begins a script, unless what its first line says forbids that now.</summary>
    public bool TryBegin(CommandContext context, Executable script, bool isReadOnly)
    {
        var changes = (script.Flags & (ScriptFlags.NoWrites | ScriptFlags.Undeclared)) == 0;
        End = ScriptEnd.Whole;
        _hasRoom = _worker.Executor.HasRoom;
        if (changes && isReadOnly)
        {
            context.Reply.Error("ERR Can not execute a script with write flag using *_ro command."u8);
            return false;
        }

        if (NeedsRoom(script.Flags) && !_hasRoom)
        {
            context.Reply.Error(context.IsInTransaction ? Errors.ScriptOutOfMemory : Errors.OutOfMemory);
            return false;
        }

        _context = context;
        _script = script;
        _request = context.Request;
        _isReadOnly = isReadOnly || (script.Flags & ScriptFlags.NoWrites) != 0;
        _isInner = context.IsInTransaction;
        if (_isInner)
        {
            Leases.HoldAll(); // For the transaction.
        }

        _hasChanged = false;
        _started = 0;
        _running.Begin();
        Reply.Protocol = 2;
        return true;
    }

    /// <summary>Lets the shards that were used do their housekeeping, where one worker has them all.</summary>
    public void Settle(long nowMs) => _touched?.Settle(_worker.Number, nowMs);

    /// <summary>It calls nothing any more: the memory of the last reply is for its own.</summary>
    public void EndCalls() => Reply.Clear();

    /// <summary>Ends it.</summary>
    public void Finish()
    {
        var wasSlow = _running.IsSlow;
        _running.End();
        if (wasSlow)
        {
            _worker.EndTurnsWithin();
            TellWorkers();
        }

        Reply.Clear();
        Declared = default;
    }

    /// <inheritdoc/>
    public bool TryCall(scoped in Request request, out ReadOnlySpan<byte> reply)
    {
        Reply.Clear();
        var row = _worker.Services.Commands.FindFor(request);
        var mayGoOn = true;
        if (Problem(row, request) is { IsEmpty: false } problem)
        {
            if (row != null)
            {
                _worker.Statistics.CountRejected(row);
            }

            Reply.Error(problem);
        }
        else if (row!.Has(CommandFlags.Write) && !_running.TryWrite())
        {
            mayGoOn = false;
        }
        else
        {
            mayGoOn = TryExecute(row, request);
        }

        Reply.CountErrors();
        reply = Reply.WrittenSpan;
        return mayGoOn;
    }

    /// <inheritdoc/>
    public void CheckAccess(scoped in Request request, out ReadOnlySpan<byte> reply)
    {
        Reply.Clear();
        if (_worker.Services.Commands.FindFor(request) is not { } row)
        {
            Reply.Error("ERR Invalid command passed to redis.acl_check_cmd()"u8);
        }
        else
        {
            var isAllowed = _context.Session.IsOwn || _context.Session.User.Current.Check(row, request).IsNone;
            Reply.Integer(isAllowed ? 1 : 0);
        }

        reply = Reply.WrittenSpan;
    }

    /// <inheritdoc/>
    public void Log(int level, ReadOnlySpan<byte> text)
    {
        // Who writes the log keeps some lines: each is managed memory that nobody charges.
        var line = Encoding.Latin1.GetString(text[..Math.Min(text.Length, ServerLimits.MaxScriptLogBytes)]);
        var log = _worker.Server.Log;
        switch (level)
        {
            case 0:
            case 1:
                log.ScriptSaysVerbosely(line);
                break;
            case 2:
                log.ScriptSays(line);
                break;
            default:
                log.ScriptWarns(line);
                break;
        }
    }

    /// <inheritdoc/>
    public void SetProtocol(int protocol) => Reply.Protocol = protocol;

    /// <inheritdoc/>
    public bool MayGoOn()
    {
        _worker.Account.Forget(); // This is more than any command may be blamed for.
        var threshold = _worker.Options.BusyReplyThresholdMs;
        var now = _clock.GetTimestamp();
        _started = _started == 0 ? now : _started; // Of most nobody has to know.
        if (!_running.IsSlow && threshold > 0
            && _clock.GetElapsedTime(_started, now).TotalMilliseconds > threshold)
        {
            var slow = new SlowScript(_script, _request, _started);
            _running.BecomeSlow(slow);
            _lastTurn = 0;
            _worker.Server.Log.ScriptIsSlow(slow.Name, threshold, slow.IsFunction ? "FUNCTION" : "SCRIPT");
            TellWorkers();
        }

        if (_running.IsSlow && _clock.GetElapsedTime(_lastTurn, now) >= ServerLimits.TurnWithinScriptPeriod)
        {
            _worker.TurnWithin(_context);
            _lastTurn = _clock.GetTimestamp();
        }

        if (_running.IsAbandoned)
        {
            // What is done by half is not shown to anybody.
            var session = _context.Session;
            _worker.CloseAll(session);
            session.SetReplies(ReplyMode.Off);
            session.ClosesAfterReply = true;
        }

        return !_running.IsKilled;
    }

    /// <inheritdoc/>
    public void Dispose() => Reply.Dispose();

    /// <summary>A slow script has begun to be one, or has ended: the workers look, this one at once.</summary>
    private void TellWorkers()
    {
        _worker.UpdateMayRun();
        _worker.Services.OnEveryWorker(static worker => worker.UpdateMayRun());
    }

    private static void Touch(CommandContext context, TouchedShards touched)
    {
        if (context.Row.IsSingleKey(context.Count))
        {
            touched.Add(context.Shard.Number);
        }
        else
        {
            CommandShards.Add(context, touched);
        }
    }

    private bool MayBeginAnew => !_isInner && !_hasChanged;

    /// <summary>Why a command cannot be executed; nothing if it can.</summary>
    private ReadOnlySpan<byte> Problem(CommandRow? row, in Request request)
        => row == null ? "ERR Unknown Redis command called from script"u8
            : !row.AcceptsCount(request.Count) || !row.IsExecutable
                ? "ERR Wrong number of args calling Redis command from script"u8
            : row.Has(CommandFlags.NoScript) ? "ERR This Redis command is not allowed from script"u8
            : Refusal(row, request) is { Length: > 0 } refusal ? refusal
            : _isReadOnly && row.Has(CommandFlags.Write | CommandFlags.MayReplicate)
                ? "ERR Write commands are not allowed from read-only scripts."u8
            : row.Has(CommandFlags.Write) && _worker.Services.Journal.Problem is { } problem ? problem.Refusal
            : row.Has(CommandFlags.DenyOom) && LacksRoom() ? Errors.OutOfMemory
            : row.Has(CommandFlags.Write) && _worker.Executor.Changes.IsFullOfEffects ? Errors.OutOfMemory
            : row.Has(CommandFlags.Write) && IsShut(out var gate) ? SnapshotErrors.OfScript(gate)
            : default;

    /// <summary>Why the client's user may not execute a command; nothing if that may be.</summary>
    private byte[] Refusal(CommandRow row, in Request request)
        => AccessCheck.TryPass(
            _context.Session, row, request, AccessContext.Script, out var user, out var denial)
            ? []
            : ConfigurationText.ToBytes($"ERR ACL failure in script: {denial.TextFor(user, row)}");

    private bool IsShut(out WriteGate gate)
    {
        gate = _worker.Services.Snapshots.Gate;
        return gate is WriteGate.Refused or WriteGate.Ended;
    }

    /// <summary>Whether a command that needs memory is refused: as by Redis where there was no room when the script
    /// began, until it has changed something; and in any case when memory is at its end, as no key is given up while a
    /// script is executed.</summary>
    private bool LacksRoom()
        => (!_hasRoom && !_running.HasWritten && (_script.Flags & ScriptFlags.AllowOom) == 0)
            || _worker.Budget.WouldPassEndNow(0);

    /// <summary>Takes further leases, which others may hold for as long as they need: those whose work is done under
    /// what they hold already.</summary>
    /// <returns>False when it has been ended meanwhile.</returns>
    private bool TryReachOut()
    {
        _script.Reach = ScriptReach.Others;
        var platform = _worker.Server.Platform;
        var wait = default(SpinWait);
        int missing;
        do
        {
            if (Leases.TryExtend(_context.Claim, out missing))
            {
                continue;
            }

            if (!MayGoOn())
            {
                return false;
            }

            platform.OnLeaseAwaited(_worker.Number, missing);
            platform.AwaitOthers(ref wait);
        }
        while (missing >= 0);

        return true;
    }

    /// <summary>Mostly it is the key that the script declares, which has been hashed.</summary>
    private void SetFirstKey(CommandContext context, in Request request)
    {
        if (Declared.Pointer != null && Declared.Length == request.Length(1)
            && request[1].SequenceEqual(Declared.Span) && Declared.Database == context.Database)
        {
            context.SetFirstKey(Declared.At(request.Pointer(1)));
        }
        else
        {
            context.SetFirstKey();
        }
    }

    /// <returns>False when the script ends: to begin anew with what it needs, or for good.</returns>
    private bool TryExecute(CommandRow row, in Request request)
    {
        var context = _context;
        var started = 0L; // What Lua does between two calls is the second one's.
        var isShared = row.JoinsRuns(request.Count) && _worker.Account.SharesReadings;
        if (isShared)
        {
            _worker.Account.StartShared();
        }
        else
        {
            started = _worker.Account.Start();
        }

        _worker.Gates.FeedScript(context.Session, row, request, isCalled: true);
        context.Load(row, request);
        if (row.Keys.First == 1)
        {
            SetFirstKey(context, request);
        }

        if (_touched != null)
        {
            Touch(context, _touched);
        }

        if (!Leases.Cover(context))
        {
            if (MayBeginAnew)
            {
                End = ScriptEnd.MustReachOut;
                _script.Reach = ScriptReach.Others;
                return false;
            }

            Invariant.Check(Leases.MayExtend, "a script that may need further leases can be given them");

            if (!TryReachOut())
            {
                return false;
            }
        }

        if (!MayBeginAnew)
        {
            _worker.Executor.ExecuteCalledToEnd(context);
        }
        else if (_worker.Executor.ExecuteCalled(context) == Attempt.Cold)
        {
            End = ScriptEnd.MustRead;
            return false;
        }

        _hasChanged |= row.Has(CommandFlags.Write | CommandFlags.MayReplicate); // It would be published twice.
        if (isShared)
        {
            _worker.Account.CountShared(context, row, request);
        }
        else
        {
            _ = _worker.Account.Count(context, row, request, started, replyStart: 0);
        }

        return true;
    }
}
