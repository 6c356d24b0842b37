using System.Runtime.CompilerServices;
using Strata.Server.Clients;
using Strata.Server.Commands.Blocking;
using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;
using Strata.Server.Commands.Transactions;
using Strata.Server.Execution.Leases;
using Strata.Server.Execution.Scripts;
using Strata.Server.Journal;
using Strata.Server.Resp;
using Strata.Server.Runtime;
using Strata.Storage;
using Strata.Storage.Index;
using Strata.Storage.Leases;
using Strata.Storage.Memory;
using Strata.Storage.Sharding;
using Strata.Storage.Tiering;

namespace Strata.Server.Execution;

/// <summary>Runs handlers under the leases they need, on one worker. A handler that fails leaves one error reply and
/// gives its leases back.</summary>
internal sealed class CommandExecutor : IDisposable
{
    private readonly ExecutionWorker _owner;
    private readonly ServerContext _server;
    private readonly ShardMap _shards;
    private readonly EffectJournal _journal;
    private readonly HandlerCalls _handlers;
    private readonly MemoryGuard _memory;
    private readonly Quiescence _quiescence;
    private readonly LeaseSet _leases;
    private readonly LeaseSet _queued;
    private readonly bool _isShared;
    private readonly Tier? _tier;
    private readonly int _worker;

    public CommandExecutor(ExecutionWorker owner)
    {
        _owner = owner;
        _server = owner.Server;
        _shards = _server.Shards;
        _tier = _shards.Tier;
        _isShared = _server.WorkerCount > 1;
        _quiescence = _server.Quiescence;
        _worker = owner.Number;
        _memory = new MemoryGuard(_shards, _worker);
        _handlers = new HandlerCalls(owner, _memory);
        _journal = owner.Services.Journal;
        _leases = new LeaseSet(_shards, _journal);
        _queued = new LeaseSet(_shards, _journal);
    }

    /// <inheritdoc cref="ChangeRoom"/>
    public ChangeRoom Changes => _handlers.Changes;

    /// <summary>Whether there is room for a command that needs memory, as far as can be told at a glance.</summary>
    public bool HasRoom => _shards.Budget.HasRoom && _tier is null or { Failure: 0 };

    /// <summary>Why there is no room where there is none: <see cref="Room.None"/> or <see cref="Room.Unwritable"/>.
    /// </summary>
    public Room Shortage => _tier is { Failure: not 0 } ? Room.Unwritable : Room.None;

    /// <summary>Makes room for a command that needs memory.</summary>
    /// <param name="context">The command.</param>
    /// <param name="flags">Its flags; of EXEC, with those of the commands it executes.</param>
    /// <returns>Whether it may be executed; otherwise it waits, or an error is answered.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public Room EnsureRoom(CommandContext context, CommandFlags flags)
        => _journal.IsStalled && (flags & CommandFlags.Write) != 0 ? AwaitJournal(context)
            : (flags & CommandFlags.DenyOom) == 0 || HasRoom ? Room.Made
            : MakeRoom(context);

    /// <summary>Makes room for commands that need memory. No lease may be held.</summary>
    public Room EnsureRoom(long nowMs)
        => HasRoom ? Room.Made
            : _tier is { Failure: not 0 } ? Room.Unwritable
            : _owner.IsWithinScript ? Room.OnItsWay // The shards are the script's.
            : _memory.MakeRoom(nowMs);

    /// <inheritdoc cref="MemoryGuard.MakeRoom(ref MemoryCharge, long, long)"/>
    public Room EnsureRoom(ref MemoryCharge charge, long bytes, long nowMs)
        => _tier is { Failure: not 0 } ? Room.Unwritable
            : _owner.IsWithinScript ? Room.OnItsWay
            : _memory.MakeRoom(ref charge, bytes, nowMs);

    /// <summary>Answers that there is no memory for a command, or no disk for what has to leave memory.</summary>
    /// <param name="reply">Where the error goes.</param>
    /// <param name="room"><see cref="Room.None"/> or <see cref="Room.Unwritable"/>, as was found for it.</param>
    public void Refuse(ReplyWriter reply, Room room)
    {
        if (room == Room.Unwritable)
        {
            TierErrors.WriteMisconf(reply, _tier!.LastFailure);
        }
        else if (room == Room.Unjournaled)
        {
            reply.Error(_journal.LastProblem!.Refusal);
        }
        else
        {
            _shards.Budget.NoteShortage();
            reply.Error(Errors.OutOfMemory);
        }
    }

    /// <summary>Executes a command of one key.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public Attempt TryExecuteKeyed(CommandContext context)
    {
        if (context.Row.Has(CommandFlags.LeaseFree))
        {
            if (!_isShared)
            {
                return ExecuteAtHand(context); // Nobody else can change the shard.
            }

            _quiescence.BeginReads(_worker);
            if (OptimisticReader.TryRead(context, context.Shard.Lease, out var before))
            {
                _handlers.NoteRead(context);
                return ColdLookups.End(context, before);
            }
        }

        return ExecuteUnderLease(context);
    }

    /// <summary>Asks for the records that a command of one key will need, while one before it waits for the device. It
    /// does so by itself where its lease is taken.</summary>
    public void AskAhead(CommandContext context)
    {
        if (context.Shard.MakesWait && TryAcquire(context))
        {
            var (shard, key) = (context.Shard, context.Key);
            _ = ReplySnapshot.Take(context); // Of what is asked for: there is no reply yet.
            try
            {
                ColdLookups.Find(context, new ReadOnlySpan<Key>(in key), thaws: context.Row.LooksIntoCollections);
            }
            finally
            {
                Release(shard, context.NowMs);
            }
        }
    }

    /// <summary>Executes a command of one key whose lease is held, if what it needs is at hand.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public Attempt ExecuteAtHand(CommandContext context)
    {
        var mayBeAwaited = !context.Row.Has(CommandFlags.LeaseFree) && context.Shard.Waits.Count > 0;
        if (mayBeAwaited || (context.Cold != null && context.Shard.MakesWait))
        {
            var key = context.Key;
            return ExecuteAtHand(context, new ReadOnlySpan<Key>(in key));
        }

        context.BeginLookups();
        return ExecuteLeased(context);
    }

    /// <summary>Executes a command whose leases are held. One that changes something, or looks into collections, does
    /// not begin before the records of <paramref name="keys"/> are at hand: all it will look up.</summary>
    public Attempt ExecuteAtHand(CommandContext context, ReadOnlySpan<Key> keys)
    {
        if (context.Cold is not { } cold)
        {
            if (KeyWait.MustLetPass(context, keys))
            {
                return Attempt.NotItsTurn;
            }

            return ExecuteLeased(context);
        }

        var before = ReplySnapshot.Take(context);
        var changes = context.Row.Has(CommandFlags.Write);
        if (changes || context.Row.LooksIntoCollections)
        {
            ColdLookups.Find(context, keys, thaws: context.Row.LooksIntoCollections && !context.IsInTransaction);
            if (!before.IsAllAtHand(cold))
            {
                return ColdLookups.End(context, before);
            }
        }

        if (KeyWait.MustLetPass(context, keys))
        {
            before.Restore(context);
            return Attempt.NotItsTurn;
        }

        var attempt = ExecuteLeased(context);
        var mustBeWhole = changes && !context.Row.Has(CommandFlags.LooksFirst);
        Invariant.Check(!mustBeWhole || cold.Misses == before.ColdMisses,
            "a command that changes something finds at hand all it looks up");
        return ColdLookups.End(context, before, attempt);
    }

    /// <summary>Executes a command that takes its leases itself, or none.</summary>
    public Attempt ExecuteUnleased(CommandContext context)
    {
        EndReads(context);
        return ExecuteAtHand(context, []);
    }

    /// <summary>What the worker has read without leases it does not look at any more: something may follow that takes
    /// long. It is kept while records are yet to be read from the device whose place was found without a lease.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void EndReads(CommandContext context)
    {
        context.Borrower = Quiescence.Nobody;
        if (context.Cold is null or { HasUnread: false })
        {
            _quiescence.EndReads(_worker);
        }
    }

    /// <inheritdoc cref="HandlerCalls.Execute"/>
    public Attempt ExecuteLeased(CommandContext context) => _handlers.Execute(context);

    /// <inheritdoc cref="HandlerCalls.Fail"/>
    public void Fail(CommandContext context, int replyStart, Exception exception)
        => _handlers.Fail(context, replyStart, exception);

    /// <summary>Executes a command of several keys, or of all shards, under all leases, unless one is taken.</summary>
    public Attempt ExecuteUnderLeases(CommandContext context, out ShardLease? taken)
    {
        Attempt attempt;
        do
        {
            attempt = TryUnderLeases(context, out taken);
        }
        while (attempt == Attempt.BeyondLeases);

        _leases.ForgetKeys();
        _queued.ForgetKeys();
        return attempt;
    }

    private Attempt TryUnderLeases(CommandContext context, out ShardLease? taken)
    {
        taken = null;
        if (!_isShared)
        {
            var attempt = ExecuteTogether(context, SelectShards(context)); // Nobody else can change a shard.
            if (context.Row.Has(CommandFlags.ExecutesScript))
            {
                _owner.Scripts.Settle(context.NowMs);
            }
            else if (!context.Row.Has(CommandFlags.LeaseFree))
            {
                SettleAll(context.NowMs); // What needs no lease leaves nothing to do.
            }

            return attempt;
        }

        var databases = _server.Databases;
        KnownScript? script;
        while (true)
        {
            var version = databases.Version;
            script = SelectShards(context);
            context.DatabaseVersion = version;
            if (context.Row.Has(CommandFlags.LeaseFree) && !KeyPass.IsInSteps(context))
            {
                _quiescence.BeginReads(_worker);
                if (OptimisticReader.TryRead(context, _leases, out var before))
                {
                    _handlers.NoteRead(context);
                    return ColdLookups.End(context, before);
                }
            }

            taken = _leases.AcquireAll(context.Claim);
            if (taken != null)
            {
                _server.Platform.OnLeaseAwaited(_worker, taken.Number);
                return Attempt.LeaseTaken;
            }

            // Databases are exchanged under all leases: whoever holds one sees the mapping stand still.
            if (databases.Version == version)
            {
                break;
            }

            ReleaseLeases(context);
        }

        EndReads(context);
        try
        {
            return ExecuteTogether(context, script);
        }
        finally
        {
            ReleaseLeases(context);
        }
    }

    /// <summary>Executes a command whose leases are held: what it tells the journal is one, whatever it executes.
    /// </summary>
    private Attempt ExecuteTogether(CommandContext context, KnownScript? script)
    {
        var effects = _journal.IsOn ? _leases.BeginEffects() : null;
        if (effects == null)
        {
            return ExecuteHeld(context, script);
        }

        context.Effects = effects;
        try
        {
            return ExecuteHeld(context, script);
        }
        finally
        {
            context.Effects = null;
            if (_owner.Scripts.IsAbandoned)
            {
                effects.DropUnit(); // Nobody is to see what it has done by half.
            }

            _leases.EndEffects();
        }
    }

    private void ReleaseLeases(CommandContext context)
    {
        _leases.ReleaseAll(this, context.NowMs, context.Claim);
        context.Claim = null; // From here on none is reserved for the command.
    }

    /// <summary>Executes a command of one key under the lease of its shard.</summary>
    private Attempt ExecuteUnderLease(CommandContext context)
    {
        if (!TryAcquire(context))
        {
            return Attempt.LeaseTaken;
        }

        EndReads(context);
        var shard = context.Shard;
        try
        {
            return ExecuteAtHand(context);
        }
        finally
        {
            Release(shard, context.NowMs); // Also where a reply has found no memory: the client goes, not the shard.
        }
    }

    /// <summary>Executes a command that another one calls, which holds all leases (<see cref="CallFrame"/>), unless a
    /// record it needs is <see cref="Attempt.Cold"/>.</summary>
    public Attempt ExecuteCalled(CommandContext context)
    {
        if (context.Cold == null || context.Row.Has(CommandFlags.ExecutesScript))
        {
            return ExecuteLeased(context); // A script's commands find by themselves what they need.
        }

        // What it calls in its turn may use the set: its keys are looked at before it is executed, not afterwards.
        _queued.Clear();
        CommandShards.Add(context, _queued);
        return ExecuteAtHand(context, _queued.KeySpan);
    }

    /// <summary>Likewise, for one that can neither begin anew nor wait: the thread waits for the device.</summary>
    public void ExecuteCalledToEnd(CommandContext context)
    {
        while (ExecuteCalled(context) == Attempt.Cold && ColdLookups.TryReadNow(context))
        {
            // What it needs may be known only from what was read.
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _leases.Dispose();
        _queued.Dispose();
    }

    /// <summary>Lets the shard do its housekeeping, and gives its lease back.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Release(Shard shard, long nowMs, bool isReserved = false)
    {
        try
        {
            shard.Settle(_worker, nowMs);
        }
        finally
        {
            if (isReserved)
            {
                shard.Lease.ReleaseReserved();
            }
            else
            {
                shard.Lease.Release();
            }
        }
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
                _server.Platform.OnLeaseAwaited(_worker, shard.Number);
                return false;
            }

            // Databases are exchanged under all leases: whoever holds one sees the mapping stand still.
            if (context.DatabaseVersion == _server.Databases.Version)
            {
                return true;
            }

            shard.Lease.Release();
            context.SetFirstKey();
        }
    }

    private Attempt ExecuteHeld(CommandContext context, KnownScript? script)
        => context.Row.Is(Exec.Row) ? _owner.Transactions.TryExecute(context, _leases.KeySpan, _queued)
            : context.Row.Has(CommandFlags.ExecutesScript) ? _owner.Scripts.TryExecute(context, script, _leases.KeySpan)
            : ExecuteAtHand(context, _leases.KeySpan);

    /// <summary>Lets all shards do their housekeeping: of most it is one look.</summary>
    private void SettleAll(long nowMs)
    {
        foreach (var shard in _shards.All)
        {
            shard.Settle(_worker, nowMs);
        }
    }

    /// <summary>Names the leases that a command needs.</summary>
    /// <returns>The script that it executes, where it is known.</returns>
    private KnownScript? SelectShards(CommandContext context)
    {
        _leases.Clear();
        if (context.Row.Keys.First == 1)
        {
            context.SetFirstKey();
        }

        if (!_isShared && context.Cold == null && _owner.Blocked.Count == 0 && _owner.HeldKeys == 0)
        {
            return null; // No lease is taken, nothing is looked for, and nobody waits for a key or holds one.
        }

        if (context.Row.Has(CommandFlags.ExecutesScript))
        {
            return _owner.Scripts.Select(context, _leases);
        }

        CommandShards.Add(context, _leases);
        return null;
    }

    /// <inheritdoc cref="HandlerCalls.MayMakeRoom"/>
    public bool MayMakeRoom(CommandContext context) => _handlers.MayMakeRoom(context);

    private Room AwaitJournal(CommandContext context)
    {
        if (_journal.Problem is not { } problem)
        {
            return Room.OnItsWay;
        }

        context.Reply.Error(problem.Refusal);
        return Room.Unjournaled;
    }

    private Room MakeRoom(CommandContext context)
    {
        // What was there must be there again, whatever the limit is by now.
        var room = context.Session.IsLoader ? Room.Made : EnsureRoom(context.NowMs);
        if (room >= Room.None)
        {
            Refuse(context.Reply, room);
        }

        return room;
    }
}
