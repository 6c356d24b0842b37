using Strata.Server.Clients.Transactions;
using Strata.Server.Clients;
using Strata.Server.Clients.Access;
using Strata.Server.Commands.Blocking;
using Strata.Server.Commands.Connection;
using Strata.Server.Commands.Model;
using Strata.Server.Commands.Server;
using Strata.Server.Commands.Shared;
using Strata.Server.Execution.Leases;
using Strata.Server.Execution.Runs;
using Strata.Storage.Index;
using Strata.Storage.Sharding;

namespace Strata.Server.Execution.Transactions;

/// <summary>Executes the commands of a transaction in their order on one worker, as one command that holds all the
/// leases they need.</summary>
internal sealed unsafe class TransactionExecutor : ITransactionExecutor, IDisposable
{
    private readonly ExecutionWorker _worker;
    private readonly ShardMap _shards;
    private readonly CommandRun _run;
    private readonly RunClock _clock;
    private readonly TimeProvider _time;

    public TransactionExecutor(ExecutionWorker worker)
    {
        _worker = worker;
        _time = worker.Server.Platform.Clock;
        _clock = new RunClock(_time);
        _shards = worker.Server.Shards;
        _run = new CommandRun(worker);
    }

    /// <summary>Names the shards of all commands.</summary>
    /// <param name="context">EXEC.</param>
    /// <param name="leases">Where to.</param>
    /// <param name="areHeld">Whether the leases are held: then keys behind a SWAPDB are named rightly, too. Before that
    /// it does not matter, as SWAPDB needs all shards.</param>
    public static void AddShards(CommandContext context, IShardSet leases, bool areHeld)
        => Visit(context, leases, areHeld, static (queued, all) => CommandShards.Add(queued, all));

    /// <inheritdoc/>
    public void AddShards(CommandContext context, IShardSet shards) => AddShards(context, shards, areHeld: false);

    /// <summary>Executes what EXEC was asked for, when all of it is at hand. The leases are held.</summary>
    /// <param name="context">EXEC.</param>
    /// <param name="keys">The keys of its commands.</param>
    /// <param name="queued">For what they turn out to be, with databases exchanged on the way.</param>
    public Attempt TryExecute(CommandContext context, ReadOnlySpan<Key> keys, LeaseSet queued)
    {
        if (context.Session.Transaction.WillExecute && KeyWait.MustLetPass(context, keys))
        {
            return Attempt.NotItsTurn;
        }

        if (context.Cold is { } cold && context.Session.Transaction.WillExecute)
        {
            cold.ForgetFailure();
            cold.TakesValues = true; // Whatever is queued.
            var misses = cold.Misses;
            ColdLookups.Find(context, keys, context.Session.Transaction.LooksIntoCollections);
            if ((context.Session.Transaction.Flags & CommandFlags.AllShards) != 0)
            {
                queued.Clear();
                AddShards(context, queued, areHeld: true);
                ColdLookups.Find(context, queued.KeySpan, context.Session.Transaction.LooksIntoCollections);
            }

            Rehearse(context);
            if (cold.Misses != misses)
            {
                return Attempt.Cold;
            }

            if (cold.HasRefused)
            {
                TierErrors.RefuseTransaction(context, cold);
                return Attempt.Done;
            }
        }

        return _worker.Executor.ExecuteLeased(context);
    }

    /// <summary>Executes, of the commands that only read, those that do not name their keys, so that they ask for what
    /// is on the device; their replies are thrown away. Not scripts: they leave more than a reply, as what the server
    /// knows them by and what they log.</summary>
    public void Rehearse(CommandContext context)
    {
        var before = ReplySnapshot.Take(context);
        Visit(context, _worker.Executor, areHeld: true, static (queued, executor) =>
        {
            if (queued.Row.NeedsLeases && queued.Row.Keys.First == 0 && queued.Row.Has(CommandFlags.ReadOnly)
                && !queued.Row.Has(CommandFlags.ExecutesScript))
            {
                executor.ExecuteLeased(queued);
            }
        });
        before.Restore(context);
    }

    /// <summary>Executes the commands. The leases must be held.</summary>
    public void Execute(CommandContext context)
    {
        var session = context.Session;
        var queue = session.Transaction.Queue!;
        if (!session.IsMuted)
        {
            context.Reply.Array(queue.Count);
        }

        session.Connection.Output.Hold();
        var told = context.Server.Shards.Transactions.Begin(session);
        try
        {
            using (new CallFrame(context))
            {
                session.IsInTransaction = true;
                ExecuteAll(context, session, queue);
            }

            if (session.IsSubscriber)
            {
                session.Worker.Messages.Settle(context); // What it has published itself comes next after the reply.
            }

            if (session.Transaction.TryGoOn())
            {
                session.Park();
            }
        }
        catch
        {
            // A reply has found no memory. What was executed stays so; nothing is left for other transactions.
            _run.Clear();
            session.Transaction.DropHeld();
            session.ClosesAfterReply |= session.Connection.Output.DropHeldBack();
            throw;
        }
        finally
        {
            told.End(isWhole: !_worker.Scripts.IsAbandoned);
        }
    }

    private void ExecuteAll(CommandContext context, Session session, TransactionQueue queue)
    {
        var started = _time.GetTimestamp();
        for (var i = 0; i < queue.Count;)
        {
            if (TryFillRun(session, queue, i))
            {
                i += _run.Count;
                started = ExecuteRun(context, queue, started);
            }
            else
            {
                Load(context, queue, i++);
                started = IsForbidden(context) ? started : ExecuteQueued(context, started);
            }
        }
    }

    /// <summary>Makes a run of the next commands, as long as they could be one outside of the transaction, too.
    /// </summary>
    /// <returns>False when the next one could not.</returns>
    private bool TryFillRun(Session session, TransactionQueue queue, int first)
    {
        if (!_worker.MayRun || session.IsGated)
        {
            return false;
        }

        var databases = _worker.Server.Databases;
        var database = databases.PhysicalOf(session.Database);
        _run.DatabaseVersion = databases.Version;
        for (var i = first; i < queue.Count && !_run.IsFull; i++)
        {
            ref readonly var queued = ref queue[i];
            if (!queued.Row.JoinsRuns(queued.ArgumentCount)
                || (session.User.Current is { AllowsAll: false } user
                    && !AccessCheck.AllowsInRun(user, queued.Row, queue.RequestOf(queued))))
            {
                break;
            }

            var place = new ParsedCommand(queued.FirstArgument, queued.ArgumentCount, queued.Length);
            var key = queue.KeyOf(queued, database);
            _shards.Of(key.Hash).Index.Prefetch(key.Hash); // It may be long since it was queued.
            _run.Add(queued.Row, key, queue.StartOf(queued), place);
        }

        return _run.Count > 0;
    }

    /// <summary>Executes the run. Like those outside of transactions, its records are fetched ahead, and its commands
    /// share readings of the clock.</summary>
    private long ExecuteRun(CommandContext context, TransactionQueue queue, long started)
    {
        _clock.Start(started);
        _run.PrefetchRecords(_shards, 0, CommandRun.PrefetchDistance);
        for (var i = 0; i < _run.Count; i++)
        {
            _run.PrefetchRecords(_shards, i + CommandRun.PrefetchDistance, 1);
            ref var entry = ref _run.Entries[i];
            _run.Load(context, entry, queue.Arguments);
            var (errors, start) = (context.Reply.Errors, context.Reply.Length);
            _worker.Executor.ExecuteCalledToEnd(context);
            entry.Outcome = context.Reply.Errors == errors ? RunOutcome.Executed : RunOutcome.Failed;
            entry.MovedBytes = entry.Length + context.Reply.Length - start;
            _clock.OnExecuted(_run, i);
        }

        _clock.End(_run);
        _worker.RunAccount.Count(context.Session, _run, _clock, queue.Arguments);
        _run.Clear();
        return _clock.Mark;
    }

    /// <inheritdoc/>
    public void Dispose() => _run.Dispose();

    private static void Load(CommandContext context, TransactionQueue queue, int index)
    {
        ref readonly var command = ref queue[index];
        context.Load(command.Row, queue.RequestOf(command));
        if (command.Row.Keys.First == 1)
        {
            context.SetFirstKey(queue.KeyOf(command, context.Database));
        }
    }

    /// <summary>Answers an error for a command that the client's user may not execute any more.</summary>
    private static bool IsForbidden(CommandContext context)
    {
        if (AccessCheck.TryPass(
            context.Session, context.Row, context.Request, AccessContext.Transaction, out _, out var denial))
        {
            return false;
        }

        var reason = denial.Reason switch
        {
            DenialReason.Key => "no permission to touch the specified keys",
            DenialReason.Channel => "no permission to access one of the channels used as arguments",
            _ => "no permission to execute the command or subcommand",
        };
        context.Reply.Error(
            "NOPERM ACLs rules changed between the moment the transaction was accumulated and the EXEC call. This "
            + $"command is no longer allowed for the following reason: {reason}");
        return true;
    }

    private long ExecuteQueued(CommandContext context, long started)
    {
        var (session, row, request) = (context.Session, context.Row, context.Request);
        var replyStart = context.Reply.Length;
        _worker.Executor.ExecuteCalledToEnd(context);
        var ended = _worker.Account.Count(context, row, request, started, replyStart);
        session.Cost.Count(1, ticks: 0); // EXEC has its own time.
        if (session.IsGated)
        {
            if (session.IsMuted)
            {
                context.Reply.Rewind(replyStart);
            }

            _worker.Gates.Feed(session, row, request);
        }

        context.Reply = session.Transaction.Held?.Reply ?? context.Reply;
        return ended;
    }

    /// <summary>Looks at the commands before they are executed, each with the database that will be selected by then.
    /// </summary>
    private static void Visit<T>(CommandContext context, T state, bool areHeld, Action<CommandContext, T> visit)
    {
        List<(int First, int Second)>? swaps = null;
        var databases = context.Server.Databases;
        var session = context.Session;
        var (queue, database) = (session.Transaction.Queue!, session.Database);
        using var frame = new CallFrame(context);
        session.IsInTransaction = true;
        try
        {
            for (var i = 0; i < queue.Count; i++)
            {
                Load(context, queue, i);
                if (context.Row.Is(Select.Row) && DatabaseArgument.TryParse(context, 1, out var selected))
                {
                    session.Database = selected;
                }
                else if (areHeld && context.Row.Is(SwapDb.Row)
                    && SwapDb.TryRead(context, out var first, out var second))
                {
                    databases.Swap(first, second);
                    swaps ??= [];
                    swaps.Add((first, second));
                }

                visit(context, state);
            }
        }
        finally
        {
            for (var i = swaps?.Count - 1 ?? -1; i >= 0; i--)
            {
                databases.Swap(swaps![i].First, swaps[i].Second);
            }

            session.Database = database;
        }
    }
}
