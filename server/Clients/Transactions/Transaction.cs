using Strata.Server.Clients.Waiting;
using Strata.Server.Commands.Model;
using Strata.Server.Resp;
using Strata.Storage.Index;
using Strata.Storage.Sharding;

namespace Strata.Server.Clients.Transactions;

/// <summary>A client's transaction: what it watches, and from MULTI to EXEC or DISCARD what it has queued.</summary>
internal sealed unsafe class Transaction
{
    private readonly Session _session;
    private KeyWatch? _watch;

    public Transaction(Session session)
    {
        _session = session;
    }

    /// <summary>What an error of EXEC begins with when it was refused itself.</summary>
    private static ReadOnlySpan<byte> AbortedBecause => "EXECABORT Transaction discarded because of: "u8;

    /// <summary>The commands since MULTI; null outside of a transaction.</summary>
    public TransactionQueue? Queue { get; private set; }

    /// <summary>Whether commands are queued.</summary>
    public bool IsOpen => Queue != null;

    /// <summary>Whether the last EXEC has executed the commands.</summary>
    public bool HasExecuted { get; set; }

    /// <summary>Whether a command could not be queued: EXEC will execute none.</summary>
    public bool IsAborted { get; private set; }

    /// <summary>Whether EXEC would execute the commands, if no watched key has changed.</summary>
    public bool WillExecute => IsOpen && !IsAborted;

    /// <summary>Keys that are watched.</summary>
    public int WatchedKeys => _watch?.Count ?? 0;

    /// <summary>Whether a watched key changed, as far as was told by now.</summary>
    public bool IsTouched => _watch is { IsTouched: true };

    /// <summary>Memory of what is watched, bytes.</summary>
    public long WatchBytes => _watch?.SizeBytes ?? 0;

    /// <summary>Replies that wait for answers of the workers.</summary>
    public HeldReplies? Held { get; private set; }

    /// <summary>The flags of all queued commands together.</summary>
    public CommandFlags Flags => Queue?.Flags ?? CommandFlags.None;

    /// <inheritdoc cref="CommandRow.LooksIntoCollections"/>
    public bool LooksIntoCollections => Queue is { LooksIntoCollections: true };

    /// <summary>A command's flags; of EXEC, with those of all commands it executes. A queue may grow without an end,
    /// whatever the commands in it do: while memory is short, a transaction takes nothing but what ends it.</summary>
    public CommandFlags FlagsOf(CommandRow row) => WithQueue(row, row.Flags);

    /// <summary>As <see cref="FlagsOf(CommandRow)"/>; a script that has said whether it writes is taken at its word.
    /// </summary>
    public CommandFlags FlagsOf(CommandRow row, in Request request) => WithQueue(row, Declared(row, request));

    /// <summary>Whether a command is queued rather than executed.</summary>
    public bool Queues(CommandRow row) => Queue != null && !row.Has(CommandFlags.Unqueued);

    /// <summary>MULTI.</summary>
    public void Begin()
    {
        HasExecuted = false;
        Queue = _session.Worker.TransactionQueues.Rent();
        _session.UpdatePlain();
    }

    /// <summary>Queues a command of <paramref name="length"/> bytes. What EXEC will look up first is fetched while the
    /// commands behind it are read.</summary>
    public void Add(CommandRow row, in Request request, int length, ReplyWriter reply)
    {
        var server = _session.Worker.Server;
        var database = server.Databases.PhysicalOf(_session.Database);
        var hash = 0UL;
        if (row.Keys.First == 1)
        {
            hash = KeyHash.Compute(request.Pointer(1), request.Length(1), database);
            server.Shards.Of(hash).Index.Prefetch(hash);
        }

        if (Queue!.TryAdd(row, Declared(row, request), request, length, database, hash))
        {
            reply.Simple("QUEUED"u8);
        }
        else
        {
            reply.Error("ERR the transaction is too large"u8);
            IsAborted = true;
        }
    }

    /// <summary>A command was refused, and the error written: the transaction will not be executed. Of EXEC itself the
    /// error says so.</summary>
    public void OnRefused(CommandRow? row, ReplyWriter reply, int start)
    {
        IsAborted = IsOpen;
        if (row?.Has(CommandFlags.ExecutesQueue) == true)
        {
            End();
            var error = new ReadOnlySpan<byte>(reply.Start + start + 1, reply.Length - start - 3);
            byte[] text = [.. AbortedBecause, .. error.StartsWith("ERR "u8) ? error[4..] : error];
            reply.Rewind(start);
            reply.Error(text);
        }
    }

    /// <summary>WATCH: the key's lease is held.</summary>
    /// <param name="shard">The key's shard.</param>
    /// <param name="key">The key.</param>
    /// <param name="isExpired">Whether it is there although its time has come.</param>
    public void Watch(Shard shard, in Key key, bool isExpired) => BeginWatch().Add(shard, key, isExpired);

    /// <summary>WATCH of keys that cannot be looked at: they count as changed.</summary>
    public void Touch() => BeginWatch().OnChange();

    /// <summary>Names the shards that EXEC needs.</summary>
    public void AddShards(CommandContext context, IShardSet shards)
    {
        if (WillExecute)
        {
            _watch?.AddShards(shards);
            _session.Worker.Transactions.AddShards(context, shards);
        }
    }

    /// <summary>Whether a watched key changed. The leases must be held.</summary>
    public bool IsTouchedNow(CommandContext context) => _watch?.IsTouchedNow(context) == true;

    /// <summary>Watches no keys any more.</summary>
    public void EndWatch()
    {
        if (_watch != null)
        {
            _watch.End(_session.Worker);
            _watch = null;
            _session.Worker.Watchers--;
        }
    }

    private KeyWatch BeginWatch()
    {
        if (_watch == null)
        {
            _watch = new KeyWatch(_session.Worker.Worker, _session.Worker.Server.Shards.WatchEpoch);
            _session.Worker.Watchers++;
        }

        return _watch;
    }

    /// <summary>Forgets the queued commands and the watched keys.</summary>
    public void End()
    {
        EndWatch();
        IsAborted = false;
        if (Queue != null)
        {
            _session.Worker.TransactionQueues.Return(Queue);
            Queue = null;
            _session.UpdatePlain();
        }
    }

    /// <summary>Puts a question to the workers when all commands have been executed.</summary>
    public void Hold(IWorkerRound round)
    {
        Held ??= new HeldReplies(_session.Worker, _session.Protocol);
        Held.Add(round);
    }

    /// <summary>Goes on with replies that are held. Behind all of them comes what the client was sent meanwhile.
    /// </summary>
    /// <returns>False when the session waits for nothing.</returns>
    public bool TryGoOn()
    {
        if (Held?.TryGoOn(_session.Worker.Reply, _session.Worker) == true)
        {
            return true;
        }

        DropHeld();
        _session.Connection.Output.EndHold(_session.Worker.Reply);
        return false;
    }

    /// <summary>Forgets replies that are held, while no worker is asked.</summary>
    public void DropHeld()
    {
        Held?.Dispose();
        Held = null;
    }

    private CommandFlags Declared(CommandRow row, in Request request)
        => row.Has(CommandFlags.ExecutesScript) ? _session.Worker.Scripts.FlagsOf(row, request) : row.Flags;

    private CommandFlags WithQueue(CommandRow row, CommandFlags flags)
        => Queue == null ? flags
            : row.Has(CommandFlags.ExecutesQueue) ? flags | Queue.Flags
            : row.Has(CommandFlags.EndsTransaction) ? flags
            : flags | CommandFlags.DenyOom;
}
