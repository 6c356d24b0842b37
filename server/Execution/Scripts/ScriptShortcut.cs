using Strata.Server.Commands.Model;
using Strata.Server.Journal;
using Strata.Server.Scripting;

namespace Strata.Server.Execution.Scripts;

/// <summary>The short way of most scripts: one that is known and compiled, and needs no lease, or one that is free, is
/// executed at once. All others, and what goes wrong, are left to the way of all commands (<see cref="LoneExecutor"/>),
/// which begins anew.</summary>
internal sealed class ScriptShortcut
{
    private readonly ExecutionWorker _worker;
    private readonly EffectJournal _journal;
    private readonly bool _isShared;

    public ScriptShortcut(ExecutionWorker worker)
    {
        _worker = worker;
        _journal = worker.Services.Journal;
        _isShared = worker.Server.WorkerCount > 1;
    }

    /// <summary>Executes a script.</summary>
    /// <param name="context">The command.</param>
    /// <param name="script">The script, if it is known; afterwards, what was found.</param>
    /// <returns>False when nothing was done.</returns>
    public bool TryExecute(CommandContext context, ref FoundScript script)
    {
        if (_worker.Tier != null || _journal.IsStalled || !_worker.Executor.HasRoom
            || context.Count > ServerLimits.FreeArguments)
        {
            return false; // What its keys, or itself, may need has to be made or read first, or the journal caught up.
        }

        var scripts = _worker.Scripts;
        var version = _worker.Server.Databases.Version;
        if (!scripts.TryFindCompiled(context, ref script))
        {
            return false;
        }

        if (_isShared)
        {
            return script.Known!.Script.Reach == ScriptReach.Proven && script.Keys <= 1
                && TryExecuteShared(context, script, version);
        }

        var isDone = TryRun(context, script, ScriptLeases.All); // Nobody else can change a shard.
        scripts.Settle(context.NowMs);
        return isDone;
    }

    private bool TryExecuteShared(CommandContext context, in FoundScript script, long databaseVersion)
    {
        if (script.Keys == 0)
        {
            _worker.Executor.EndReads(context);
            return TryRun(context, script, ScriptLeases.None);
        }

        var shard = context.ShardOf(_worker.Scripts.Declared);
        if (!shard.Lease.TryAcquire() && !shard.Lease.TryAcquireSpinning())
        {
            _worker.Server.Platform.OnLeaseAwaited(_worker.Number, shard.Number);
            return false;
        }

        try
        {
            _worker.Executor.EndReads(context);

            // Databases are exchanged under all leases: for who holds one they stand still, as the journal does.
            return databaseVersion == _worker.Server.Databases.Version && TryRun(context, script, shard.Number);
        }
        finally
        {
            _worker.Executor.Release(shard, context.NowMs);
        }
    }

    private bool TryRun(CommandContext context, in FoundScript script, int lease)
    {
        var before = ReplySnapshot.Take(context);
        context.IsLeased = true;
        var effects = BeginEffects(context, lease);
        try
        {
            _worker.Scripts.Run(context, script, lease);
        }
        catch (Exception exception)
        {
            _worker.Executor.Fail(context, before.ReplyLength, exception);
        }
        finally
        {
            EndEffects(context, effects);
        }

        if (_worker.Scripts.HasEnded)
        {
            return true;
        }

        before.Restore(context);
        return false;
    }

    /// <summary>What the script's commands tell the journal is one. They become visible with the end of the lease, or
    /// with their own where none is taken.</summary>
    /// <returns>Where they are told; null where nobody wants to know, or nothing can be told, as no shard is used.
    /// </returns>
    private EffectQueue? BeginEffects(CommandContext context, int lease)
    {
        if (!_journal.IsOn || lease == ScriptLeases.None)
        {
            return null;
        }

        var effects = _journal.Of(lease == ScriptLeases.All ? 0 : lease).Route;
        effects.BeginUnit();
        context.Effects = effects;
        return effects;
    }

    private void EndEffects(CommandContext context, EffectQueue? effects)
    {
        if (effects == null)
        {
            return;
        }

        context.Effects = null;
        if (_worker.Scripts.IsAbandoned)
        {
            effects.DropUnit(); // Nobody is to see what it has done by half.
        }

        effects.EndUnit();
    }
}
