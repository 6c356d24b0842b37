using Strata.Server.Clients;
using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;
using Strata.Server.Rdb;
using Strata.Server.Resp;
using Strata.Server.Scripting.Functions;

namespace Strata.Server.Execution.Scripts;

/// <summary>Executes functions on one worker as <see cref="ScriptExecutor"/> does scripts, and loads their libraries,
/// which are the server's.</summary>
internal sealed class FunctionExecutor : IFunctionExecutor, IDisposable
{
    private readonly ExecutionWorker _worker;
    private readonly FunctionCatalogue _catalogue;
    private readonly FunctionEngine _engine;
    private readonly TimeProvider _clock;

    public FunctionExecutor(ExecutionWorker worker)
    {
        _worker = worker;
        _catalogue = worker.Services.Scripts.Functions;
        _clock = worker.Server.Platform.Clock;
        _engine = new FunctionEngine(worker.Scripts.Host, _catalogue, worker.Budget);
    }

    /// <inheritdoc/>
    public long StateBytes => _engine.Engine.ChargedBytes;

    /// <inheritdoc/>
    public void Call(CommandContext context, bool isReadOnly)
    {
        if (_engine.TryFind(context.Argument(1), out var known)
            && _worker.Scripts.Refuses(context, known.Function.Flags))
        {
            return;
        }

        if (Prepare(context, known, out var keys) is { } problem)
        {
            _worker.Gates.FeedScript(context.Session, context.Row, context.Request, isCalled: false);
            context.Reply.Error("ERR " + problem);
            return;
        }

        _worker.Scripts.Execute(context, known!.Function, _engine.Engine, known.Number, keys, isReadOnly);
    }

    /// <summary>The function of a name, if there is one.</summary>
    public Function? Find(ReadOnlySpan<byte> name) => _engine.TryFind(name, out var known) ? known.Function : null;

    /// <inheritdoc/>
    public void Load(CommandContext context, ReadOnlySpan<byte> code, bool replaces)
    {
        _engine.Adopt();
        using var draft = NewDraft(ServerLimits.LibraryLoadTimeoutMs);
        var problem = draft.Add(code, others: replaces ? LibrarySet.Empty : _catalogue.Current)
            ?? draft.Publish(_catalogue, (LibrarySet current, out LibrarySet changed)
                => current.Join(draft.Libraries, replaces, out changed), UnshardedChange.Told(context));
        if (problem != null)
        {
            context.Reply.Error("ERR " + problem);
            return;
        }

        LetAllAdopt();
        context.Reply.Bulk(draft.Libraries.Libraries.First().Name);
    }

    /// <summary>Loads a library that was saved with the data.</summary>
    /// <param name="code">Its code.</param>
    /// <param name="replaces">Whether it takes the place of one of its name.</param>
    /// <returns>What is wrong with it, or null.</returns>
    public string? LoadSaved(byte[] code, bool replaces)
    {
        var problem = _engine.LoadSaved(code, replaces, NewLoading(ServerLimits.LibraryRestoreTimeoutMs));
        if (problem == null)
        {
            LetAllAdopt();
        }

        return problem;
    }

    /// <inheritdoc/>
    public void Restore(CommandContext context, ReadOnlySpan<byte> payload, RestorePolicy policy)
    {
        if (!DumpFooter.TryRemove(payload, out var content))
        {
            context.Reply.Error("ERR DUMP payload version or checksum are wrong"u8);
            return;
        }

        _engine.Adopt();
        using var draft = NewDraft(ServerLimits.LibraryRestoreTimeoutMs);
        var problem = Read(content, draft)
            ?? draft.Publish(
                _catalogue,
                (LibrarySet current, out LibrarySet changed)
                    => (policy == RestorePolicy.Flush ? LibrarySet.Empty : current)
                        .Join(draft.Libraries, policy == RestorePolicy.Replace, out changed),
                UnshardedChange.Told(context));
        if (problem != null)
        {
            context.Reply.Error("ERR " + problem);
            return;
        }

        LetAllAdopt();
        context.Reply.Ok();
    }

    /// <inheritdoc/>
    public void Collect() => _engine.Engine.Collect();

    /// <inheritdoc/>
    public void Adopt() => _engine.Adopt();

    /// <inheritdoc/>
    public void Dispose() => _engine.Dispose();

    /// <summary>Counts the keys of FCALL, and loads the library of what it names if that was not done.</summary>
    /// <returns>What is wrong with the command, or null.</returns>
    private string? Prepare(CommandContext context, KnownFunction? known, out int keys)
    {
        keys = 0;
        return known == null ? "Function not found"
            : !NumberParser.TryParseInt64(context.Argument(2), out var count) ? "Bad number of keys provided"
            : ScriptExecutor.CountKeys(context, count, out keys) ?? _engine.Load(known, _clock);
    }

    /// <summary>Loads all libraries of a payload.</summary>
    /// <returns>What is wrong with it, or null.</returns>
    private static string? Read(ReadOnlySpan<byte> content, LibraryDraft draft)
    {
        var reader = new RdbReader(content);
        string? problem = null;
        while (problem == null && reader.TryReadByte(out var kind))
        {
            if (kind != RdbFormat.Function)
            {
                return kind == RdbFormat.EarlyFunction
                    ? "Pre-GA function format not supported"
                    : "given type is not a function";
            }

            problem = reader.TryReadString((int)ServerLimits.MaxLibraryBytes, out var code)
                ? draft.Add(code, others: draft.Libraries)
                : "Failed loading library payload";
        }

        return problem;
    }

    private LibraryDraft NewDraft(int timeoutMs)
        => new(_engine, NewLoading(timeoutMs), _worker.Budget);

    private LibraryLoading NewLoading(int timeoutMs) => new(_worker.Scripts.Host, _clock, timeoutMs);

    /// <summary>What the workers have of libraries that have gone is given back, here at once.</summary>
    private void LetAllAdopt()
    {
        _engine.Adopt();
        _worker.Services.OnEveryWorker(static worker => worker.Functions.Adopt());
    }
}
