using Strata.Server.Clients;
using Strata.Server.Clients.Waiting;
using Strata.Server.Commands.Model;
using Strata.Server.Execution.Accounting;
using Strata.Server.Execution.Runs;
using Strata.Server.Execution.Scripts;
using Strata.Server.Execution.Transactions;
using Strata.Server.Resp;
using Strata.Server.Runtime;
using Strata.Storage;
using Strata.Storage.Runtime;

namespace Strata.Server.Execution;

/// <summary>A worker as what executes commands knows it: the executors, and the runs and groups they use in turn.
/// Worker's thread only.</summary>
public abstract unsafe class ExecutionWorker : ClientWorker
{
    private const long BeforeAllExpiry = 0;

    private CommandLoop _loop;
    private InnerTurn? _inner;

    internal ExecutionWorker(ServerServices services, int number)
        : base(services, number)
    {
        Context = NewContext(Reply, Input);
        Runs = new(
            () => new CommandRun(this),
            static run => run.Free(),
            ServerLimits.MaxFreeRuns,
            Budget,
            CommandRun.OwnBytes);
        Groups = new(
            () => new DeferredGroup(this),
            static group => group.Clear(),
            ServerLimits.MaxFreeGroups,
            Budget,
            DeferredGroup.ManagedBytes);
        Run = Runs.Rent();
        KeyAccount = new KeyAccount(this);
        Account = new CommandAccount(this);
        RunAccount = new RunAccount(this);
        Executor = new CommandExecutor(this);
        Transactions = new TransactionExecutor(this);
        Scripts = new ScriptExecutor(this);
        Functions = new FunctionExecutor(this);
        Lone = new LoneExecutor(this);
        _loop = new CommandLoop(this);
    }

    /// <summary>What commands are executed with that are executed on this worker.</summary>
    internal CommandContext Context { get; private set; }

    /// <summary>Whether a client's script is at work, and others are served in its midst.</summary>
    internal bool IsWithinScript { get; private set; }

    /// <summary>What is being loaded; null for nothing. Set on any thread.</summary>
    internal IDataLoad? Load { get; set; }

    internal CommandExecutor Executor { get; }

    internal LoneExecutor Lone { get; }

    /// <inheritdoc/>
    internal override TransactionExecutor Transactions { get; }

    /// <inheritdoc/>
    internal override ScriptExecutor Scripts { get; }

    /// <inheritdoc/>
    internal override FunctionExecutor Functions { get; }

    internal CommandAccount Account { get; }

    internal RunAccount RunAccount { get; }

    internal KeyAccount KeyAccount { get; }

    /// <summary>The run that commands are gathered into.</summary>
    internal CommandRun Run { get; private set; }

    /// <summary>The current run, and those that waiting sessions keep.</summary>
    internal Pool<CommandRun> Runs { get; }

    /// <summary>Groups of runs that are in other hands.</summary>
    internal Pool<DeferredGroup> Groups { get; }

    /// <inheritdoc/>
    internal sealed override int Consume(
        Session session, byte* input, int length, ref ParseState state, ArgumentBuffer arguments)
    {
        Account.BeginTurn();
        if (!session.IsLoader)
        {
            return _loop.Consume(session, input, length, ref state, arguments);
        }

        Context.NowMs = BeforeAllExpiry;
        try
        {
            return _loop.Consume(session, input, length, ref state, arguments);
        }
        finally
        {
            Context.NowMs = Worker.NowMs;
        }
    }

    /// <inheritdoc/>
    internal sealed override bool TryContinue(Session session, SuspendedWork work)
    {
        if (!session.IsLoader)
        {
            return work.TryContinue(session);
        }

        Context.NowMs = BeforeAllExpiry;
        try
        {
            return work.TryContinue(session);
        }
        finally
        {
            Context.NowMs = Worker.NowMs;
        }
    }

    /// <inheritdoc/>
    internal sealed override void DropUnfinishedWork()
    {
        Reply.Clear();
        Arguments.Clear();
        Run.Clear();
    }

    /// <summary>What a command is executed with whose reply and input lie there.</summary>
    internal CommandContext NewContext(ReplyWriter reply, InputWindow input)
        => new(Server, reply, Services.KeyspaceEvents) { Input = input };

    /// <summary>Serves other clients in the midst of a client's script, as far as that can be done without shards: they
    /// are accepted and read from, and what they may do while a script is slow is executed. Nothing that the script's
    /// command uses is touched.</summary>
    /// <param name="executing">The script's command.</param>
    internal void TurnWithin(CommandContext executing)
    {
        Invariant.Check(Run.Count == 0, "a script is executed behind the run before it");
        _inner ??= new InnerTurn(this);
        var (reply, arguments, input, context, loop) = (Reply, Arguments, Input, Context, _loop);
        (Reply, Arguments, Input) = (_inner.Reply, _inner.Arguments, _inner.Input);
        (Context, _loop) = (_inner.Context, _inner.Loop);
        IsWithinScript = true;
        Messages.Executing = executing;
        try
        {
            Worker.UpdateClock();
            Context.NowMs = Worker.NowMs;
            Worker.TurnWithin(executing.Session.Connection);
        }
        finally
        {
            (Reply, Arguments, Input, Context, _loop) = (reply, arguments, input, context, loop);
            IsWithinScript = false;
            Messages.Executing = null;
        }
    }

    /// <summary>The script has ended: what others were served with is given back.</summary>
    internal void EndTurnsWithin()
    {
        _inner?.Dispose();
        _inner = null;
    }

    /// <summary>Loads a library of functions that was saved.</summary>
    /// <param name="code">Its code.</param>
    /// <param name="replaces">Whether it takes the place of one of its name.</param>
    /// <returns>What is wrong with it, or null.</returns>
    internal string? LoadLibrary(byte[] code, bool replaces) => Functions.LoadSaved(code, replaces);

    /// <summary>The current run stays with a waiting session; the worker goes on with another.</summary>
    internal void ReplaceRun() => Run = Runs.Rent();

    /// <inheritdoc/>
    private protected sealed override bool MayRefuseReply() => Context.ChangesNothing;

    /// <inheritdoc/>
    protected override void Dispose(bool disposing)
    {
        base.Dispose(disposing);
        EndTurnsWithin();
        Run.Dispose();
        Runs.Dispose();
        Groups.Dispose();
        Lone.Suspended.Dispose();
        Executor.Dispose();
        Transactions.Dispose();
        Functions.Dispose();
        Scripts.Dispose();
    }
}
