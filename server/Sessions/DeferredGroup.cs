using System.Diagnostics.CodeAnalysis;
using Strata.Server.Commands;
using Strata.Server.Network;
using Strata.Server.Resp;
using Strata.Storage.Sharding;
using Strata.Storage.Workers;

namespace Strata.Server.Sessions;

/// <summary>
/// The commands of a run that found their shard's lease taken: copied out of the receive buffer, executed by the
/// lease's holder on whatever thread that is, and returned to the session's worker with their replies.
/// </summary>
internal sealed unsafe class DeferredGroup : ShardWork, IDisposable
{
    private readonly ServerWorker _owner;
    private readonly NativeBuffer _input;
    private readonly ArgumentBuffer _arguments = new();
    private readonly ReplyWriter _reply = new();
    private readonly CommandContext _context;
    private Session _session = null!;
    [SuppressMessage("Usage", "CA2213", Justification = "The run belongs to the waiting session.")]
    private CommandRun _run = null!;


    public DeferredGroup(ServerWorker owner)
    {
        _owner = owner;
        _input = new NativeBuffer(owner.Server.Shards.Budget);
        _context = new CommandContext(owner.Server, _reply);
    }

    public override Worker Owner => _owner.Worker;

    /// <summary>The shard the commands belong to.</summary>
    public Shard Shard { get; private set; } = null!;

    /// <summary>Copies the commands of <paramref name="shard"/> out of a run of <paramref name="session"/>.</summary>
    public void Take(Session session, CommandRun run, ArgumentBuffer arguments, Shard shard, long nowMs)
    {
        _session = session;
        _run = run;
        Shard = shard;
        _context.Session = session;
        _context.NowMs = nowMs;
        _reply.Protocol = session.Protocol;
        for (var i = run.FirstOf(shard.Number); i >= 0; i = run.Entries[i].NextOfShard)
        {
            ref var entry = ref run.Entries[i];
            var first = _arguments.Count;
            for (var a = 0; a < entry.ArgumentCount; a++)
            {
                var argument = arguments.At(entry.FirstArgument + a);
                _arguments.Add(argument->Offset, argument->Length);
            }

            entry.FirstArgument = first;
            _input.Append(entry.Start, entry.Length);
        }
    }

    /// <inheritdoc/>
    public override void Execute(Shard shard)
    {
        var start = _input.Start;
        for (var i = _run.FirstOf(shard.Number); i >= 0; i = _run.Entries[i].NextOfShard)
        {
            ref var entry = ref _run.Entries[i];
            var request = new Request(start, _arguments.At(entry.FirstArgument), entry.ArgumentCount);
            _context.Row = entry.Row;
            _context.Request = request;
            _context.Key = new Storage.Index.Key(request.Pointer(1), entry.Key.Length, entry.Key.Database, entry.Key.Hash);
            _context.Shard = shard;
            entry.ReplyBuffer = _reply;
            entry.ReplyStart = _reply.Length;
            _owner.Executor.ExecuteLeased(_context);
            entry.ReplyLength = _reply.Length - entry.ReplyStart;
            start += entry.Length;
        }
    }

    /// <inheritdoc/>
    public override void Run(Worker worker)
    {
        _owner.Statistics.CountLookups(_context);
        _session.OnGroupDone(_run);
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
