using System.Diagnostics;
using System.Diagnostics.CodeAnalysis;
using Strata.Server.Commands;
using Strata.Server.Network;
using Strata.Server.Resp;
using Strata.Storage.Index;
using Strata.Storage.Log;
using Strata.Storage.Sharding;
using Strata.Storage.Workers;

namespace Strata.Server.Sessions;

/// <summary>
/// The commands of a run that found their shard's lease taken: copied out of the receive buffer, executed by the
/// lease's holder on whatever thread that is, and returned to the session's worker with their replies. When databases
/// were exchanged since the keys were hashed, it returns without having done anything and is queued anew.
/// </summary>
internal sealed unsafe class DeferredGroup : ShardWork, IDisposable
{
    private readonly ServerWorker _owner;
    private readonly NativeBuffer _input;
    private readonly ArgumentBuffer _arguments = new();
    private readonly ReplyWriter _reply;
    private readonly CommandContext _context;
    private Session _session = null!;
    [SuppressMessage("Usage", "CA2213", Justification = "The run belongs to the waiting session.")]
    private CommandRun _run = null!;
    private int _first;

    public DeferredGroup(ServerWorker owner)
    {
        _owner = owner;
        _input = new NativeBuffer(owner.Server.Shards.Budget);
        _reply = new ReplyWriter(owner.Statistics.Errors);
        _context = new CommandContext(owner.Server, _reply);
    }

    public override Worker Owner => _owner.Worker;

    /// <summary>The shard the commands belong to.</summary>
    public Shard Shard { get; private set; } = null!;

    /// <summary>Copies commands out of a run of <paramref name="session"/>: the entry <paramref name="first"/> and
    /// those linked to it, which are all of <paramref name="shard"/>.</summary>
    public void Take(
        Session session, CommandRun run, ArgumentBuffer arguments, Shard shard, int first, long nowMs)
    {
        _session = session;
        _run = run;
        _first = first;
        Shard = shard;
        _context.Session = session;
        _context.NowMs = nowMs;
        _context.DatabaseVersion = run.DatabaseVersion;
        _reply.Protocol = session.Protocol;
        for (var i = first; i >= 0; i = run.Entries[i].NextOfShard)
        {
            ref var entry = ref run.Entries[i];
            var firstArgument = _arguments.Count;
            for (var a = 0; a < entry.ArgumentCount; a++)
            {
                var argument = arguments.At(entry.FirstArgument + a);
                _arguments.Add(argument->Offset, argument->Length);
            }

            entry.FirstArgument = firstArgument;
            _input.Append(entry.Start, entry.Length);
        }
    }

    /// <inheritdoc/>
    public override void Execute(Shard shard)
    {
        if (_context.DatabaseVersion != _owner.Server.Databases.Version)
        {
            return; // Databases were exchanged: the owner finds out where the keys belong now.
        }

        var start = _input.Start;
        for (var i = _first; i >= 0; i = _run.Entries[i].NextOfShard)
        {
            ref var entry = ref _run.Entries[i];
            entry.Start = start;
            var request = new Request(start, _arguments.At(entry.FirstArgument), entry.ArgumentCount);
            _context.Row = entry.Row;
            _context.Request = request;
            _context.Key = new Key(request.Pointer(1), entry.Key.Length, entry.Key.Database, entry.Key.Hash);
            _context.Shard = shard;
            ExecuteEntry(ref entry);
            start += entry.Length;
        }
    }

    /// <inheritdoc/>
    public override void Run(Worker worker)
    {
        if (_run.Entries[_first].Outcome == RunOutcome.Deferred)
        {
            Requeue();
            return;
        }

        _owner.Statistics.CountLookups(_context);
        for (var i = _first; i >= 0; i = _run.Entries[i].NextOfShard)
        {
            _owner.RunAccount.Count(_session, _run.Entries[i], _arguments);
        }

        _session.OnGroupDone(_run);
    }

    private void ExecuteEntry(ref RunEntry entry)
    {
        var errors = _reply.Errors;
        var started = Stopwatch.GetTimestamp();
        entry.ReplyBuffer = _reply;
        entry.ReplyStart = _reply.Length;
        if (HasRoom(entry.Row))
        {
            _owner.Executor.ExecuteLeased(_context);
        }
        else
        {
            _reply.Error(Errors.OutOfMemory);
        }

        entry.ReplyLength = _reply.Length - entry.ReplyStart;
        entry.Nanoseconds = (long)((Stopwatch.GetTimestamp() - started) * (1e9 / Stopwatch.Frequency));
        entry.Outcome = _reply.Errors == errors ? RunOutcome.Executed : RunOutcome.Failed;
    }

    /// <summary>Whether the command may take memory. Where a policy lets keys go, the holder makes room when the
    /// group is done.</summary>
    private bool HasRoom(CommandRow row)
        => !row.Has(CommandFlags.DenyOom) || !_owner.Server.Shards.Budget.IsOver
            || Shard.Policy != EvictionPolicy.NoEviction;

    /// <summary>Hashes the keys anew and leaves each command to its shard, one by one and in order: those of one key
    /// stay in the order of the wire.</summary>
    private void Requeue()
    {
        var databases = _owner.Server.Databases;
        _run.DatabaseVersion = databases.Version;
        var groups = new List<DeferredGroup>();
        var start = _input.Start;
        for (var i = _first; i >= 0;)
        {
            ref var entry = ref _run.Entries[i];
            var argument = _arguments.At(entry.FirstArgument + 1);
            entry.Start = start;
            entry.Key = new Key(start + argument->Offset, argument->Length, databases.PhysicalOf(_session.Database));
            start += entry.Length;
            var next = entry.NextOfShard;
            entry.NextOfShard = -1;
            var group = _owner.RentGroup();
            group.Take(_session, _run, _arguments, _owner.Server.Shards.Of(entry.Key.Hash), i, _context.NowMs);
            groups.Add(group);
            i = next;
        }

        _session.WaitForMoreGroups(_run, groups);
        foreach (var group in groups)
        {
            group.Shard.Lease.Queue(group.Shard, group);
        }
    }

    /// <summary>Makes the group ready for other commands, once its replies are copied.</summary>
    public void Clear()
    {
        _input.Dispose();
        _arguments.Clear();
        _reply.Clear();
        _session = null!;
        _run = null!;
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _input.Dispose();
        _arguments.Dispose();
        _reply.Dispose();
    }
}
