using System.Runtime.CompilerServices;
using Strata.Server.Commands;
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

    /// <summary>Makes room for commands that need memory. No lease may be held.</summary>
    /// <returns>False when the policy lets nothing go.</returns>
    public bool TryMakeRoom(long nowMs) => !_shards.Budget.IsOver || _memory.TryMakeRoom(nowMs);

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

            if (OptimisticReader.TryRead(context, context.Shard.Lease))
            {
                return true;
            }
        }

        if (!TryAcquire(context))
        {
            return false;
        }

        var shard = context.Shard;
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
        if (!_isShared)
        {
            SetFirstKey(context);
            ExecuteLeased(context); // Nobody else can change a shard.
            foreach (var shard in _shards.All)
            {
                shard.Settle(_worker, context.NowMs);
            }

            return null;
        }

        var databases = _server.Databases;
        while (true)
        {
            var version = databases.Version;
            SelectShards(context);
            context.DatabaseVersion = version;
            if (context.Row.Has(CommandFlags.LeaseFree) && OptimisticReader.TryRead(context, _leases))
            {
                return null;
            }

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

    /// <summary>Takes the lease of the key's shard.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private bool TryAcquire(CommandContext context)
    {
        while (true)
        {
            var shard = context.Shard;
            if (!shard.Lease.TryAcquire() && !shard.Lease.TryAcquireSpinning())
            {
                return false;
            }

            // Databases are exchanged under all leases: whoever holds one sees the mapping stand still.
            if (context.DatabaseVersion == _server.Databases.Version)
            {
                return true;
            }

            shard.Lease.Release(shard);
            context.SetFirstKey();
        }
    }

    private void SelectShards(CommandContext context)
    {
        _leases.Clear();
        var row = context.Row;
        SetFirstKey(context);
        if (row.Has(CommandFlags.AllShards))
        {
            _leases.AddAll();
            return;
        }

        AddShardsOf(context, row.Keys);
        AddShardsOf(context, row.SecondKeys);
        row.ExtraShards?.Invoke(context, _leases);
    }

    private static void SetFirstKey(CommandContext context)
    {
        if (context.Row.Keys.First == 1)
        {
            context.SetFirstKey();
        }
    }

    private void AddShardsOf(CommandContext context, KeySpec keys)
    {
        for (var i = keys.First; i > 0 && i <= keys.LastOf(context.Count); i += keys.Step)
        {
            _leases.Add(_shards.NumberOf(context.KeyAt(i).Hash));
        }
    }

    private bool TryMakeRoom(CommandContext context)
    {
        if (TryMakeRoom(context.NowMs))
        {
            return true;
        }

        context.Reply.Error(Errors.OutOfMemory);
        return false;
    }
}
