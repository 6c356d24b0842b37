using System.Runtime.CompilerServices;
using Strata.Server.Commands;
using Strata.Storage;
using Strata.Storage.Memory;
using Strata.Storage.Sharding;

namespace Strata.Server.Sessions;

/// <summary>Runs handlers under the leases they need, on one worker. A handler that fails leaves one error reply and
/// gives its leases back.</summary>
internal sealed class CommandExecutor
{
    private readonly StrataServer _server;
    private readonly ShardMap _shards;
    private readonly MemoryGuard _memory;
    private readonly LeaseSet _leases;
    private readonly bool _isShared;
    private readonly int _worker;

    public CommandExecutor(StrataServer server, int worker)
    {
        _server = server;
        _shards = server.Shards;
        _isShared = server.WorkerCount > 1;
        _worker = worker;
        _memory = new MemoryGuard(server.Shards, worker);
        _leases = new LeaseSet(server.Shards);
    }

    /// <summary>Makes room for a command that needs memory, or answers Redis's error.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool HasRoom(CommandContext context)
        => !context.Row.Has(CommandFlags.DenyOom) || !_shards.Budget.IsOver || TryMakeRoom(context);

    /// <summary>Executes a command of one key.</summary>
    /// <returns>False when its shard's lease is taken: nothing was done.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryExecuteKeyed(CommandContext context)
    {
        if (context.Row.Has(CommandFlags.LeaseFree))
        {
            if (!_isShared)
            {
                ExecuteLeased(context); // Nobody else can change the shard.
                return true;
            }

            if (TryRead(context))
            {
                return true;
            }
        }

        var shard = context.Shard;
        if (!shard.Lease.TryAcquire() && !shard.Lease.TryAcquireSpinning())
        {
            return false;
        }

        ExecuteLeased(context);
        Release(shard, context.NowMs);
        return true;
    }

    /// <summary>Executes a handler whose leases are held, or that needs none.</summary>
    public void ExecuteLeased(CommandContext context)
    {
        context.IsLeased = true;
        var start = context.Reply.Length;
        try
        {
            context.Row.Handler(context);
        }
        catch (MemoryExhaustedException exception)
        {
            context.Reply.Rewind(start);
            context.Reply.Error("OOM " + exception.Message);
        }
        catch (Exception exception)
        {
            // A programmer's error. The connection learns of it, the log has the stack, and the process lives.
            context.Reply.Rewind(start);
            context.Reply.Error(Errors.Internal);
            _server.Log.CommandFailed(context.Row.FullName, exception);
        }
    }

    /// <summary>Executes a command of several keys, or of all shards, under all their leases.</summary>
    /// <returns>Null, or the shard whose lease was taken: then nothing was done.</returns>
    public Shard? ExecuteUnderLeases(CommandContext context)
    {
        var databases = _server.Databases;
        while (true)
        {
            var version = databases.Version;
            SelectShards(context);
            var taken = _leases.AcquireAll();
            if (taken != null)
            {
                return taken;
            }

            // Databases are exchanged under all leases: whoever holds one sees the mapping stand still.
            if (databases.Version == version)
            {
                break;
            }

            _leases.ReleaseAll(this, context.NowMs);
        }

        PrefetchRecords(context);
        ExecuteLeased(context);
        _leases.ReleaseAll(this, context.NowMs);
        return null;
    }

    /// <summary>Lets the shard do its housekeeping, and gives its lease back.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Release(Shard shard, long nowMs)
    {
        shard.Settle(_worker, nowMs);
        shard.Lease.Release(shard);
    }

    private void SelectShards(CommandContext context)
    {
        _leases.Clear();
        var row = context.Row;
        if (row.Keys.First == 1)
        {
            context.SetFirstKey();
        }

        if (row.Has(CommandFlags.AllShards))
        {
            _leases.AddAll();
            return;
        }

        AddShardsOf(context, row.Keys);
        AddShardsOf(context, row.SecondKeys);
        row.ExtraShards?.Invoke(context, _leases);
    }

    private void AddShardsOf(CommandContext context, KeySpec keys)
    {
        for (var i = keys.First; i > 0 && i <= keys.LastOf(context.Count); i += keys.Step)
        {
            var hash = context.KeyAt(i).Hash;
            _leases.Add(_shards.NumberOf(hash));
            _shards.Of(hash).Index.Prefetch(hash);
        }
    }

    /// <summary>Lets the memory accesses of the first keys overlap, as many as a run has commands: more would push each
    /// other out of the cache.</summary>
    private void PrefetchRecords(CommandContext context)
    {
        var keys = context.Row.Keys;
        var last = Math.Min(keys.LastOf(context.Count), keys.First + (keys.Step * Limits.MaxRunCommands));
        for (var i = keys.First; i > 0 && i <= last; i += keys.Step)
        {
            var hash = context.KeyAt(i).Hash;
            _shards.Of(hash).PrefetchRecord(hash);
        }
    }

    private bool TryMakeRoom(CommandContext context)
    {
        if (_memory.TryMakeRoom(context.NowMs))
        {
            return true;
        }

        context.Reply.Error(Errors.OutOfMemory);
        return false;
    }

    /// <summary>Runs a lease-free handler between two looks at the shard's version, at most twice.</summary>
    private static bool TryRead(CommandContext context)
    {
        var lease = context.Shard.Lease;
        var start = context.Reply.Length;
        var hits = context.Hits;
        var misses = context.Misses;
        for (var attempt = 0; attempt < 2; attempt++)
        {
            var version = lease.ReadVersion();
            if ((version & 1) != 0)
            {
                continue;
            }

            context.IsLeased = false;
            context.NeedsLease = false;
            context.Row.Handler(context);
            if (lease.IsUnchanged(version) && !context.NeedsLease)
            {
                return true;
            }

            context.Reply.Rewind(start);
            context.Hits = hits;
            context.Misses = misses;
        }

        return false;
    }
}
