using Strata.Server.Commands;
using Strata.Server.Resp;
using Strata.Storage;
using Strata.Storage.Sharding;

namespace Strata.Server.Sessions;

/// <summary>
/// Executes a run on one worker. Where nothing has to be waited for, commands run in wire order and reply straight to
/// the output. A run with writes on shared shards is executed shard by shard, one lease each; groups whose lease is
/// taken are left to its holder, and the session waits for them.
/// </summary>
internal sealed unsafe class RunExecutor
{
    private readonly ServerWorker _worker;
    private readonly CommandExecutor _executor;
    private readonly ShardMap _shards;
    private readonly bool _isShared;
    // Records fetched ahead of the one being executed: enough to hide a miss, few enough for the fill buffers.
    private const int PrefetchDistance = 6;
    private const int GroupPrefetchDistance = 3;

    private readonly RunClock _clock = new();
    private readonly RunAccount _account;
    private readonly List<DeferredGroup> _deferred = new(Limits.MaxRunCommands);

    public RunExecutor(ServerWorker worker)
    {
        _worker = worker;
        _executor = worker.Executor;
        _account = worker.RunAccount;
        _shards = worker.Server.Shards;
        _isShared = worker.Server.WorkerCount > 1;
    }

    /// <summary>Executes the run.</summary>
    /// <returns>False when groups are in other hands: the session must wait until all have come back.</returns>
    public bool TryExecute(Session session, CommandRun run, ArgumentBuffer arguments)
    {
        _clock.Start();
        var context = _worker.Context;
        context.Session = session;
        context.Reply = _worker.Reply;
        var isDone = true;
        var first = 0;
        if (!run.HasWrites || !_isShared || run.Count == 1)
        {
            Prefetch(run, 0, PrefetchDistance);
            while (first < run.Count)
            {
                Prefetch(run, first + PrefetchDistance, 1);
                if (!TryExecuteEntry(context, run, first, arguments))
                {
                    break;
                }

                first++;
            }
        }

        if (first < run.Count)
        {
            isDone = TryExecuteGroups(session, context, run, arguments, first);
        }

        session.LastCommand = run.Entries[run.Count - 1].Row;
        if (isDone)
        {
            _clock.End(run);
            _account.Count(session, run, _clock, arguments);
        }

        return isDone;
    }

    /// <summary>Fetches the records of some entries ahead of their execution. The first entry of a run of one gains
    /// nothing and loses little.</summary>
    private void Prefetch(CommandRun run, int first, int count)
    {
        for (var i = first; i < Math.Min(first + count, run.Count); i++)
        {
            var hash = run.Entries[i].Key.Hash;
            _shards.Of(hash).PrefetchRecord(hash);
        }
    }

    private void PrefetchGroups(CommandRun run, int first, int count)
    {
        for (var i = first; i < Math.Min(first + count, run.ShardCount); i++)
        {
            var shard = run.ShardsInUse[i];
            for (var entry = run.FirstOf(shard); entry >= 0; entry = run.Entries[entry].NextOfShard)
            {
                _shards[shard].PrefetchRecord(run.Entries[entry].Key.Hash);
            }
        }
    }

    private bool TryExecuteEntry(CommandContext context, CommandRun run, int index, ArgumentBuffer arguments)
    {
        ref var entry = ref run.Entries[index];
        Load(context, run, entry, arguments);
        var errors = context.Reply.Errors;
        var start = context.Reply.Length;
        if (!_executor.HasRoom(context))
        {
            entry.Outcome = RunOutcome.Rejected;
        }
        else if (_executor.TryExecuteKeyed(context))
        {
            entry.Outcome = context.Reply.Errors == errors ? RunOutcome.Executed : RunOutcome.Failed;
        }
        else
        {
            return false;
        }

        entry.MovedBytes = entry.Length + context.Reply.Length - start;
        _clock.OnExecuted(run, index);
        return true;
    }

    private void Load(CommandContext context, CommandRun run, in RunEntry entry, ArgumentBuffer arguments)
    {
        context.Row = entry.Row;
        context.DatabaseVersion = run.DatabaseVersion;
        context.Request = new Request(entry.Start, arguments.At(entry.FirstArgument), entry.ArgumentCount);
        context.Key = entry.Key;
        context.Shard = _shards.Of(entry.Key.Hash);
    }

    private bool TryExecuteGroups(
        Session session, CommandContext context, CommandRun run, ArgumentBuffer arguments, int first)
    {
        run.GroupByShard(_shards, first);
        run.Scratch.Protocol = session.Protocol;
        context.Reply = run.Scratch;
        PrefetchGroups(run, 0, GroupPrefetchDistance);
        for (var i = 0; i < run.ShardCount; i++)
        {
            PrefetchGroups(run, i + GroupPrefetchDistance, 1);
            var shard = _shards[run.ShardsInUse[i]];
            if (!TryExecuteGroup(context, run, arguments, shard))
            {
                var group = _worker.RentGroup();
                group.Take(session, run, arguments, shard, run.FirstOf(shard.Number), context.NowMs);
                _deferred.Add(group);
            }
        }

        context.Reply = _worker.Reply;
        if (_deferred.Count == 0)
        {
            run.CopyReplies(_worker.Reply, first);
            return true;
        }

        // Counted before the groups are let go: whoever executes them writes to their entries.
        _clock.End(run);
        _account.Count(session, run, _clock, arguments);
        session.WaitForGroups(run, first, _deferred);
        foreach (var group in _deferred)
        {
            group.Shard.Lease.Queue(group.Shard, group);
        }

        _deferred.Clear();
        return false;
    }

    /// <summary>Executes the commands of one shard under its lease.</summary>
    /// <returns>False when the lease is taken, or the keys no longer belong to the shard: nothing was done.</returns>
    private bool TryExecuteGroup(CommandContext context, CommandRun run, ArgumentBuffer arguments, Shard shard)
    {
        var hasRoom = _executor.TryMakeRoom(context.NowMs);
        if (!shard.Lease.TryAcquire() && !shard.Lease.TryAcquireSpinning())
        {
            return false;
        }

        if (run.DatabaseVersion != _worker.Server.Databases.Version)
        {
            shard.Lease.Release(shard);
            return false;
        }

        for (var i = run.FirstOf(shard.Number); i >= 0; i = run.Entries[i].NextOfShard)
        {
            ExecuteOfGroup(context, run, i, arguments, hasRoom);
        }

        _executor.Release(shard, context.NowMs);
        return true;
    }

    private void ExecuteOfGroup(
        CommandContext context, CommandRun run, int index, ArgumentBuffer arguments, bool hasRoom)
    {
        ref var entry = ref run.Entries[index];
        Load(context, run, entry, arguments);
        var errors = run.Scratch.Errors;
        entry.ReplyBuffer = run.Scratch;
        entry.ReplyStart = run.Scratch.Length;
        if (hasRoom || !entry.Row.Has(CommandFlags.DenyOom))
        {
            _executor.ExecuteLeased(context);
            entry.Outcome = run.Scratch.Errors == errors ? RunOutcome.Executed : RunOutcome.Failed;
        }
        else
        {
            context.Reply.Error(Errors.OutOfMemory);
            entry.Outcome = RunOutcome.Rejected;
        }

        entry.ReplyLength = run.Scratch.Length - entry.ReplyStart;
        entry.MovedBytes = entry.Length + entry.ReplyLength;
        _clock.OnExecuted(run, index);
    }
}
