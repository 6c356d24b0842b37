using System.Diagnostics;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.ExceptionServices;
using Strata.Server.Clients;
using Strata.Server.Commands.Model;
using Strata.Server.Resp;
using Strata.Storage.Leases;
using Strata.Storage.Log;
using Strata.Storage.Memory;
using Strata.Storage.Runtime;
using Strata.Storage.Sharding;
using Strata.Storage.Tiering;

namespace Strata.Server.Execution.Runs;

/// <summary>
/// Neighbours in a waiting run that found their shard's lease taken: executed by the lease's holder on whatever thread
/// that is, in their order, and returned to the session's worker with their replies. From the first on that cannot be
/// executed there (the databases were exchanged, a record must be read from the device, memory is short, replies are
/// too much, the client keeps what it reads, others come first) they return as they are.
/// </summary>
internal sealed unsafe class DeferredGroup : ShardWork, IDisposable
{
    /// <summary>Memory of the object itself and of what it always has, about.</summary>
    public const int ManagedBytes = 2048;

    private readonly ExecutionWorker _owner;
    private readonly TimeProvider _clock;
    private readonly ReplyWriter _reply;
    private readonly CommandContext _context;
    private readonly ColdReadSet? _cold;
    private Session _session = null!;
    [SuppressMessage("Usage", "CA2213", Justification = "The run belongs to the waiting session.")]
    private CommandRun _run = null!;
    [SuppressMessage("Usage", "CA2213", Justification = "It is the server's.")]
    private Shard _shard = null!;
    private int _end;
    private ExceptionDispatchInfo? _failure;

    public DeferredGroup(ExecutionWorker owner)
    {
        _owner = owner;
        _clock = owner.Server.Platform.Clock;
        _reply = new ReplyWriter(owner.Errors, owner.Budget, isSeldomUsed: true) { MayRefuse = MayRefuseReply };
        _context = new CommandContext(owner.Server, _reply, owner.Services.KeyspaceEvents) { IsElsewhere = true };
        _cold = owner.Server.Shards.Tier == null ? null : new ColdReadSet();
    }

    public override Worker Owner => _owner.Worker;

    /// <summary>Bytes charged to the budget.</summary>
    public long ChargedBytes => _reply.ChargedBytes;

    /// <summary>The last of the run's entries that it has executed; -1 for none.</summary>
    public int LastExecuted { get; private set; } = -1;

    /// <summary>Takes commands of a run of <paramref name="session"/>: the next one and those behind it before entry
    /// <paramref name="end"/>, which are all of <paramref name="shard"/>.</summary>
    public void Take(Session session, CommandRun run, Shard shard, int end, long nowMs)
    {
        _session = session;
        _run = run;
        _end = end;
        _shard = shard;
        _context.Client = session;
        _context.NowMs = nowMs;
        _context.DatabaseVersion = run.DatabaseVersion;
        _context.Cold = _cold;
        _context.Taken = run.Input.Bytes;
        _reply.Protocol = session.Protocol;
    }

    /// <inheritdoc/>
    public override void Execute()
    {
        try
        {
            ExecuteAll();
            _shard.Settle(Quiescence.Nobody, _context.NowMs); // As after each command: others may be queued behind it.
        }
        catch (Exception exception)
        {
            _failure = ExceptionDispatchInfo.Capture(exception); // Nobody's but the owner's, who comes to know of it.
        }
    }

    /// <summary>Throws what a command threw on the thread of the lease's holder.</summary>
    public void ThrowIfFailed() => _failure?.Throw();

    private void ExecuteAll()
    {
        if (_context.DatabaseVersion != _owner.Server.Databases.Version)
        {
            return; // The owner finds out where the keys belong now.
        }

        // Who was woken by one of them comes before the next one.
        for (var i = _run.RepliesFrom; i < _end && !_reply.IsFull && !_session.IsOthersTurn; i++)
        {
            ref var entry = ref _run.Entries[i];
            _run.Load(_context, entry, _run.Input.Arguments);
            if (IsRemembered(entry.Row) || !HasRoom(entry.Row) || !TryExecute(ref entry, i))
            {
                return;
            }
        }
    }

    /// <inheritdoc/>
    public override void Run(Worker worker)
    {
        _owner.Statistics.CountLookups(_context);
        _session.OnWaitEnded();
    }

    /// <summary>Makes the group ready for other commands, once its replies are copied.</summary>
    public void Clear()
    {
        _reply.Free(); // Many may be kept.
        LastExecuted = -1;
        _failure = null;
        _session = null!;
        _run = null!;
    }

    /// <inheritdoc/>
    public void Dispose() => _reply.Dispose();

    private bool TryExecute(ref RunEntry entry, int index)
    {
        var errors = _reply.Errors;
        var started = _clock.GetTimestamp();
        entry.BeginReply(_reply);
        if (_owner.Executor.ExecuteAtHand(_context) != Attempt.Done)
        {
            return false;
        }

        LastExecuted = index;
        entry.EndReply();
        entry.Nanoseconds = (long)((_clock.GetTimestamp() - started) * (1e9 / Stopwatch.Frequency));
        entry.Outcome = _reply.Errors == errors ? RunOutcome.Executed : RunOutcome.Failed;
        return true;
    }

    /// <summary>Whether what the command reads is to be remembered, which is done on its session's thread.</summary>
    private bool IsRemembered(CommandRow row) => _session.RemembersReads && row.Has(CommandFlags.ReadOnly);

    /// <summary>Whether the command may take memory. Where a policy lets keys go, the holder makes room when the
    /// group is done; else the owner decides.</summary>
    private bool HasRoom(CommandRow row)
        => (!_owner.Services.Journal.IsStalled || !row.Has(CommandFlags.Write))
            && (!row.Has(CommandFlags.DenyOom) || _session.IsLoader
            || (_owner.Server.Shards.Tier is null or { Failure: 0 }
                && (_owner.Server.Shards.Budget.HasRoom
                    || (_shard.Policy != EvictionPolicy.NoEviction && !_owner.Server.Shards.Budget.IsBehind))));

    private bool MayRefuseReply() => _context.ChangesNothing;
}
