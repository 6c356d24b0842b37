using Strata.Server.Clients;
using Strata.Server.Commands.Model;
using Strata.Server.Execution.Leases;
using Strata.Server.Execution.Scripts.Analysis;
using Strata.Server.Resp;
using Strata.Server.Scripting;
using Strata.Server.Scripting.Native;
using Strata.Storage.Index;

namespace Strata.Server.Execution.Scripts;

/// <summary>Executes scripts on one worker, each as one command under all the leases it needs.</summary>
internal sealed unsafe class ScriptExecutor : IScriptExecutor, IDisposable
{
    private const int FirstKey = 3;

    private readonly ExecutionWorker _worker;
    private readonly ScriptCalls _calls;
    private readonly ScriptEngine _engine;
    private readonly KnownScripts _known;

    // The script that the handler about to be called is to execute, where it is known; no longer than the call.
    private KnownScript? _found;

    public ScriptExecutor(ExecutionWorker worker)
    {
        _worker = worker;
        _calls = new ScriptCalls(worker);
        _engine = new ScriptEngine(_calls, worker.Budget, ScriptPurpose.Scripts);
        _known = new KnownScripts(worker.Services.Scripts.Cache, _engine, worker.Budget);
    }

    /// <summary>What scripts and functions ask for.</summary>
    public IScriptHost Host => _calls;

    /// <inheritdoc/>
    public long StateBytes => _engine.ChargedBytes;

    /// <summary>Bytes charged to the budget.</summary>
    public long ChargedBytes => _engine.ChargedBytes + _calls.ChargedBytes + _known.ChargedBytes;

    /// <summary>Whether the server has ended a script in the midst of its changes, and ends.</summary>
    public bool IsAbandoned => _calls.IsAbandoned;

    /// <summary>Whether the last script needs nothing else: it was executed.</summary>
    public bool HasEnded => _calls.End == ScriptEnd.Whole;

    /// <summary>The first key, if there is one, that a script declares which was found.</summary>
    public Key Declared => _calls.Declared;

    /// <summary>Names the leases that a script is to be executed under.</summary>
    /// <param name="context">EVAL or its like.</param>
    /// <param name="leases">Where to, with the keys that it declares.</param>
    /// <returns>The script, if it is known; for <see cref="TryExecute"/>.</returns>
    public KnownScript? Select(CommandContext context, LeaseSet leases)
    {
        var isFunction = ScriptRows.NameFunction(context.Row);
        var known = isFunction ? null : Find(context);
        var script = isFunction ? _worker.Functions.Find(context.Argument(1)) : (Executable?)known?.Script;
        if (script is Script { IsAnalyzed: false, Reach: ScriptReach.Declared } analyzed)
        {
            Analyze(analyzed);
        }

        var isReadOnly = context.Row.Has(CommandFlags.ReadOnly) || script is { ChangesNothing: true };
        _calls.Leases.Select(context, script, isReadOnly, leases);
        return known;
    }

    /// <summary>Finds a script that can be executed as it is.</summary>
    /// <param name="context">EVAL or its like.</param>
    /// <param name="script">The script, if the command is known to name it; afterwards, what was found.</param>
    /// <returns>False when there is something to be done before, or to be said.</returns>
    public bool TryFindCompiled(CommandContext context, ref FoundScript script)
    {
        if (script.Known == null || !_known.IsCurrent(script.Known))
        {
            if (ScriptRows.NameFunction(context.Row) || Find(context) is not { } found
                || !NumberParser.TryParseInt64(context.Argument(2), out var keys)
                || keys < 0 || keys > context.Count - FirstKey)
            {
                return false;
            }

            script = new FoundScript(found, (int)keys);
        }

        if (!IsCompiled(script.Known!))
        {
            return false;
        }

        Declare(context, script.Keys);
        return true;
    }

    /// <summary>Executes a script that was found, and writes its reply. If it has not <see cref="HasEnded">ended</see>,
    /// it must begin anew.</summary>
    /// <param name="context">EVAL or its like.</param>
    /// <param name="script">What <see cref="TryFindCompiled"/> has found.</param>
    /// <param name="lease">The lease that is held (<see cref="ScriptLeases.HoldOnly"/>).</param>
    public void Run(CommandContext context, in FoundScript script, int lease)
    {
        var known = script.Known!;
        known.Script.UsedMs = context.NowMs;
        _calls.ForgetEnd();
        _calls.Leases.HoldOnly(lease);
        Run(context, known.Script, _engine, known.Function, script.Keys, context.Row.Has(CommandFlags.ReadOnly));
    }

    /// <summary>Executes a script, once the keys it has declared are at hand. One that needs others first ends there,
    /// and begins anew when they have been read, as does one that needs more leases. The leases must be held that were
    /// selected for it.</summary>
    /// <param name="context">EVAL or its like.</param>
    /// <param name="found">What <see cref="Select"/> has found; null where leases are not selected.</param>
    /// <param name="declared">The keys that it declares.</param>
    public Attempt TryExecute(CommandContext context, KnownScript? found, ReadOnlySpan<Key> declared)
    {
        var before = ReplySnapshot.Take(context);
        if (context.Cold is { } cold)
        {
            cold.TakesValues = true; // Whatever it calls.
            ColdLookups.Find(context, declared, thaws: true);
            if (!before.IsAllAtHand(cold))
            {
                return ColdLookups.End(context, before);
            }
        }

        _calls.ForgetEnd();
        var attempt = ExecuteLeased(context, found);
        switch (_calls.End)
        {
            case ScriptEnd.MustRead:
                return ColdLookups.End(context, before);
            case ScriptEnd.MustReachOut:
                before.Restore(context);
                return Attempt.BeyondLeases;
            default:
                return attempt;
        }
    }

    /// <summary>Lets the shards that the last script has used do their housekeeping.</summary>
    public void Settle(long nowMs) => _calls.Settle(nowMs);

    /// <inheritdoc/>
    public void Collect() => _engine.Collect();

    /// <inheritdoc/>
    public void Eval(CommandContext context, bool isReadOnly)
    {
        var body = context.Argument(1);
        var script = _found ?? _known.FindBody(body, context.NowMs);
        if (!Refuses(context, script?.Script.Flags ?? Shebang.FlagsOf(body)) && TryCountKeys(context, out var keys)
            && (script ?? Create(context, body, isLoaded: false)) is { } created)
        {
            Execute(context, created, keys, isReadOnly);
        }
    }

    /// <inheritdoc/>
    public void EvalSha(CommandContext context, bool isReadOnly)
    {
        var text = context.Argument(1);
        var script = _found ?? _known.Find(text);
        var keys = 0;
        if (script == null && (text.Length != ScriptId.TextLength || TryCountKeys(context, out keys)))
        {
            context.Reply.Error(Errors.NoScript);
        }
        else if (script != null && !Refuses(context, script.Script.Flags) && TryCountKeys(context, out keys))
        {
            Execute(context, script, keys, isReadOnly);
        }
    }

    /// <inheritdoc/>
    public void Load(CommandContext context)
    {
        var body = context.Argument(2);
        if (Create(context, body, isLoaded: true) is { } script)
        {
            Span<byte> text = stackalloc byte[ScriptId.TextLength];
            script.Script.Id.Write(text);
            context.Reply.Bulk(text);
        }
    }

    /// <inheritdoc/>
    public CommandFlags FlagsOf(CommandRow row, in Request request)
        => ScriptRows.FlagsOf(row, request[1], _known, _worker.Functions);

    /// <inheritdoc/>
    public void Dispose()
    {
        _known.Clear();
        _engine.Dispose();
        _calls.Dispose();
    }

    /// <summary>Whether there is no memory for what a script may do, which is answered as for any command. In a
    /// transaction that is found out when it begins.</summary>
    internal bool Refuses(CommandContext context, ScriptFlags flags)
    {
        var refuses = ScriptCalls.NeedsRoom(flags) && !context.IsInTransaction && !_worker.Executor.HasRoom;
        if (refuses)
        {
            _worker.Executor.Refuse(context.Reply, _worker.Executor.Shortage);
        }

        return refuses;
    }

    /// <summary>Takes the number of keys that a script, or a function, is given.</summary>
    /// <returns>Why there cannot be as many, or null.</returns>
    internal static string? CountKeys(CommandContext context, long count, out int keys)
    {
        keys = 0;
        if (count > context.Count - 3)
        {
            return "Number of keys can't be greater than number of args";
        }

        if (count < 0)
        {
            return "Number of keys can't be negative";
        }

        keys = (int)count;
        return null;
    }

    private static bool TryCountKeys(CommandContext context, out int keys)
    {
        keys = 0;
        if (!context.TryInteger(2, out var count))
        {
            return false;
        }

        if (CountKeys(context, count, out keys) is { } problem)
        {
            context.Reply.Error("ERR " + problem);
            return false;
        }

        return true;
    }

    private Attempt ExecuteLeased(CommandContext context, KnownScript? found)
    {
        _found = found;
        try
        {
            return _worker.Executor.ExecuteLeased(context);
        }
        finally
        {
            _found = null;
        }
    }

    /// <summary>The script that a command names, if it is known.</summary>
    private KnownScript? Find(CommandContext context)
    {
        var name = context.Argument(1);
        return ScriptRows.NameBody(context.Row) ? _known.FindBody(name, context.NowMs) : _known.Find(name);
    }

    private KnownScript? Create(CommandContext context, ReadOnlySpan<byte> body, bool isLoaded)
    {
        if (Shebang.Read(body, out var flags, out var start) is { } problem)
        {
            context.Reply.Error("ERR " + problem);
            return null;
        }

        var created = new KnownScript(new Script(ScriptId.Of(body), body.ToArray(), start, flags)
        {
            IsLoaded = isLoaded,
            UsedMs = context.NowMs,
        });
        if (!TryCompile(context, created))
        {
            return null;
        }

        _known.Add(created);
        return created;
    }

    private bool IsCompiled(KnownScript known) => known.Function != 0 && known.Generation == _engine.Generation;

    private bool TryCompile(CommandContext context, KnownScript known)
    {
        if (IsCompiled(known))
        {
            return true;
        }

        if (_engine.Compile(known.Script, out var function) is { } problem)
        {
            context.Reply.Error("ERR " + problem);
            return false;
        }

        known.Function = function;
        known.Generation = _engine.Generation;
        return true;
    }

    /// <summary>Looks whether a script that has kept to its keys so far always does, if it is compiled here.</summary>
    private void Analyze(Script script)
    {
        if (!_engine.TryFind(script.Id, out var function))
        {
            return;
        }

        script.IsAnalyzed = true;
        if (script.Body.Length <= ServerLimits.MaxAnalyzedScriptBytes
            && _engine.ReadCode(function) is { } code
            && KeyAnalysis.KeepsToItsKeys(code, _worker.Services.Commands))
        {
            script.Reach = ScriptReach.Proven;
        }
    }

    private void Execute(CommandContext context, KnownScript known, int keys, bool isReadOnly)
    {
        known.Script.UsedMs = context.NowMs;
        if (TryCompile(context, known))
        {
            Execute(context, known.Script, _engine, known.Function, keys, isReadOnly);
        }
    }

    /// <summary>Executes a script, or a function, that is compiled, and writes its reply. All leases must be held.
    /// </summary>
    /// <param name="context">The command: its keys and arguments follow the third of its own.</param>
    /// <param name="script">What is executed.</param>
    /// <param name="engine">Where it is compiled.</param>
    /// <param name="function">Its number there.</param>
    /// <param name="keys">How many keys are given.</param>
    /// <param name="isReadOnly">Whether it may change nothing, by the command that executes it.</param>
    internal void Execute(
        CommandContext context, Executable script, ScriptEngine engine, int function, int keys, bool isReadOnly)
    {
        Declare(context, keys);
        Run(context, script, engine, function, keys, isReadOnly);
    }

    private void Declare(CommandContext context, int keys)
    {
        _calls.Declared = keys > 0 ? context.KeyAt(FirstKey) : default;
        if (keys > 0)
        {
            // Lua takes longer than memory to come to its first call.
            context.ShardOf(_calls.Declared).Index.Prefetch(_calls.Declared.Hash);
        }
    }

    private void Run(
        CommandContext context, Executable script, ScriptEngine engine, int function, int keys, bool isReadOnly)
    {
        _worker.Gates.FeedScript(context.Session, context.Row, context.Request, isCalled: false);
        if (!_calls.TryBegin(context, script, isReadOnly))
        {
            return;
        }

        var (session, isInner) = (context.Session, context.IsInTransaction);
        var database = session.Database;
        var arguments = context.Request.From(FirstKey);
        var run = new NativeScriptRun
        {
            Bytes = context.Request.Start,
            Keys = arguments.Arguments,
            Arguments = arguments.Arguments + keys,
            KeyCount = keys,
            ArgumentCount = arguments.Count - keys,
            Protocol = session.Protocol,
        };
        if (!isInner)
        {
            session.Connection.Output.Hold(); // What it publishes to its own client comes behind its reply.
        }

        var told = isInner ? default : context.Server.Shards.Transactions.Begin(session);
        try
        {
            bool isOk;
            NativeScriptResult* result;
            using (new CallFrame(context))
            {
                session.IsInTransaction = true;
                context.Reply = _calls.Reply;
                isOk = engine.TryExecute(function, &run, out result);
            }

            _calls.EndCalls();
            Answer(context, script, isOk, result->Reply, result->Error);
            engine.Free(result);
            EndHold(context, isInner);
            if (isOk)
            {
                _calls.Leases.Learn(script);
            }
        }
        catch
        {
            session.ClosesAfterReply |= !isInner && session.Connection.Output.DropHeldBack();
            throw;
        }
        finally
        {
            told.End(isWhole: !IsAbandoned);
            session.Database = database;
            _calls.Finish();
        }
    }

    private static void EndHold(CommandContext context, bool isInner)
    {
        var session = context.Session;
        if (isInner)
        {
            return;
        }

        if (session.IsSubscriber)
        {
            session.Worker.Messages.Settle(context);
        }

        session.Connection.Output.EndHold(context.Reply);
    }

    private void Answer(
        CommandContext context, Executable script, bool isOk, in NativeBytes reply, in NativeScriptError error)
    {
        if (_calls.End != ScriptEnd.Whole)
        {
            return; // It will be executed once more.
        }

        if (!isOk)
        {
            ScriptErrorReply.Write(context.Reply, script, error, _worker.Budget);
        }
        else if (reply.Length > 0 && reply.Data[0] == (byte)'-')
        {
            ScriptErrorReply.Write(context.Reply, reply.Span[1..^2], error, _worker.Budget);
        }
        else
        {
            ReplyAllowance.AskForCopy(_worker.Budget, reply.Length, "there is no memory for the script's reply");
            context.Reply.Raw(reply.Span);
        }
    }
}
