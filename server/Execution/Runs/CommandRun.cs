using System.Runtime.CompilerServices;
using Strata.Server.Clients;
using Strata.Server.Clients.Waiting;
using Strata.Server.Commands.Model;
using Strata.Server.Resp;
using Strata.Server.Runtime;
using Strata.Storage.Index;
using Strata.Storage.Memory;
using Strata.Storage.Runtime;
using Strata.Storage.Sharding;
using Strata.Storage.Tiering;

namespace Strata.Server.Execution.Runs;

/// <summary>
/// A stretch of single-key commands parsed ahead, so that their memory accesses overlap. They are executed in the order
/// in which they were sent.
/// </summary>
internal sealed unsafe class CommandRun : SuspendedWork, IDisposable
{
    /// <summary>
    /// Records fetched ahead of the one being executed: enough to hide a miss, few enough for the fill buffers.
    /// </summary>
    public const int PrefetchDistance = 6;

    private const int BytesBesidesArrays = 1024;

    private RunExecutor? _executor;

    public CommandRun(ExecutionWorker worker)
    {
        Input = new RunInput(worker.Budget);
        CommandRoom = new CommandRoom(worker);
    }

    /// <summary>Memory of a run itself and of what it always has, about.</summary>
    public static int OwnBytes
        => BytesBesidesArrays + ArgumentBuffer.BytesFromTheStart(ArgumentBuffer.UsualCapacity)
            + (ServerLimits.MaxRunCommands * Unsafe.SizeOf<RunEntry>());

    /// <summary>The entries; only the first <see cref="Count"/> count.</summary>
    public RunEntry[] Entries { get; } = new RunEntry[ServerLimits.MaxRunCommands];

    public int Count { get; private set; }

    public bool IsFull => Count == ServerLimits.MaxRunCommands;

    /// <summary>Whether any command changes something.</summary>
    public bool HasWrites { get; private set; }

    /// <summary>The version of the databases' mapping by which the keys were hashed.</summary>
    public long DatabaseVersion { get; set; }

    /// <summary>The commands' bytes and arguments while the run waits.</summary>
    public RunInput Input { get; }

    /// <summary>The memory that is made for a command which found none.</summary>
    public CommandRoom CommandRoom { get; }

    /// <summary>Bytes charged to the budget.</summary>
    public long ChargedBytes => Input.ChargedBytes + CommandRoom.ChargedBytes;

    /// <inheritdoc/>
    public override long MemoryBytes => Input.ChargedBytes;

    /// <summary>Whether the run waits: its commands lie in <see cref="Input"/>.</summary>
    public bool IsSuspended { get; private set; }

    /// <summary>The cold records that its commands need, in a set that the run keeps for its next commands; null where
    /// none can be.</summary>
    public ColdReadSet? Cold { get; set; }

    /// <summary>The commands that are, or were, in other hands; null for none.</summary>
    public DeferredGroup? Group { get; private set; }

    /// <summary>The first entry whose reply is not in the output yet.</summary>
    public int RepliesFrom { get; set; }

    /// <summary>Whether the command at <see cref="RepliesFrom"/> has begun and goes on in steps, as
    /// <see cref="WaitingClient.Unfinished"/> has it.</summary>
    public bool HasBegun { get; private set; }

    /// <summary>Adds a command.</summary>
    public void Add(CommandRow row, in Key key, byte* start, in ParsedCommand command)
    {
        ref var entry = ref Entries[Count++];
        entry.Row = row;
        entry.Key = key;
        entry.Start = start;
        entry.FirstArgument = command.First;
        entry.ArgumentCount = command.Count;
        entry.Length = command.Length;
        entry.Outcome = RunOutcome.Deferred;
        HasWrites |= row.Has(CommandFlags.Write);
    }

    /// <summary>Lets a context have one of the commands.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Load(CommandContext context, in RunEntry entry, ArgumentBuffer arguments)
        => context.Load(
            entry.Row,
            new Request(entry.Start, arguments.At(entry.FirstArgument), entry.ArgumentCount),
            entry.Key,
            DatabaseVersion);

    /// <summary>The next command has been executed. Whatever it answered, it goes on no longer: one that failed has
    /// not ended that itself.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void OnExecuted(Session session)
    {
        if (IsSuspended)
        {
            CommandRoom.OnExecuted();
        }

        if (HasBegun || Entries[RepliesFrom].Outcome == RunOutcome.Failed)
        {
            EndBegun(session);
        }
    }

    /// <summary>The next command was not executed, or not to its end.</summary>
    public void OnLeft(Session session) => HasBegun = session.Unfinished != null;

    /// <summary>The next command was refused: if it had begun, it holds nothing from here on.</summary>
    public void Reject(Session session)
    {
        Entries[RepliesFrom].Outcome = RunOutcome.Rejected;
        EndBegun(session);
    }

    /// <inheritdoc/>
    public override bool TryContinue(Session session) => _executor!.TryContinue(session, this);

    /// <inheritdoc/>
    public override bool ChangesSomething => HasWrites;

    /// <inheritdoc/>
    public override bool TryMakeRoom(long nowMs) => CommandRoom.TryMake(nowMs);

    /// <inheritdoc/>
    public override void End() => _executor!.End(this);

    /// <summary>Has commands executed by the holder of their shard's lease: the next one, and those behind it that are
    /// of the same shard.</summary>
    public void Leave(Session session, ShardMap shards, Pool<DeferredGroup> groups, long nowMs)
    {
        var shard = shards.Of(Entries[RepliesFrom].Key.Hash);
        var end = RepliesFrom + 1;
        while (end < Count && shards.Of(Entries[end].Key.Hash) == shard)
        {
            end++;
        }

        ReturnGroup(groups);
        Group = groups.Rent();
        Group.Take(session, this, shard, end, nowMs);
        shard.Lease.Queue(Group);
    }

    /// <summary>What was in other hands has come back to the run. Throws what a command threw on the thread of the
    /// lease's holder, and gives the group back if it has no reply that is still to be sent.</summary>
    public void EndGroup(Session session, Pool<DeferredGroup> groups)
    {
        if (HasBegun && Entries[RepliesFrom].Outcome != RunOutcome.Deferred)
        {
            EndBegun(session);
        }

        Group?.ThrowIfFailed();
        if (Group?.LastExecuted < RepliesFrom)
        {
            ReturnGroup(groups);
        }
    }

    /// <summary>Gives the group back, whose replies are in the output, or nobody's any more.</summary>
    public void ReturnGroup(Pool<DeferredGroup> groups)
    {
        if (Group != null)
        {
            groups.Return(Group);
            Group = null;
        }
    }

    /// <summary>Fetches the records of some entries ahead of their execution. The first entry of a run of one gains
    /// nothing and loses little.</summary>
    public void PrefetchRecords(ShardMap shards, int first, int count)
    {
        for (var i = first; i < Math.Min(first + count, Count); i++)
        {
            var hash = Entries[i].Key.Hash;
            shards.Of(hash).PrefetchRecord(hash);
        }
    }

    /// <summary>Fetches the index buckets of what is left: while the run waited, they left the cache.</summary>
    public void PrefetchBuckets(ShardMap shards)
    {
        foreach (ref readonly var entry in Entries.AsSpan(RepliesFrom, Count - RepliesFrom))
        {
            if (entry.Outcome == RunOutcome.Deferred)
            {
                shards.Of(entry.Key.Hash).Index.Prefetch(entry.Key.Hash);
            }
        }
    }

    /// <summary>Takes the commands out of the receive buffer: <paramref name="executor"/> is to execute them later.
    /// What the client is told meanwhile of keys that it has read comes behind the replies of what others execute for
    /// it.</summary>
    public void Suspend(RunExecutor executor, Session session, ArgumentBuffer arguments, MappedMemory? movable)
    {
        if (session.Tracking != null)
        {
            session.Connection.Output.Hold();
        }

        _executor = executor;
        Input.Take(Entries.AsSpan(0, Count), arguments, movable);
        IsSuspended = true;
    }

    /// <summary>Begins to read what its commands have asked for from the device, as much as may be held at a time.
    /// While the run <paramref name="waitsForOthers"/> it holds no records: the others may need the memory. While a
    /// command wants memory for its reply no more are read for those behind it.</summary>
    /// <returns>Whether the session is to be told when it has been read.</returns>
    public bool TryStartReads(Session session, bool waitsForOthers, long nowMs)
    {
        if (Cold == null)
        {
            return false;
        }

        if (waitsForOthers && !Cold.IsReading)
        {
            Cold.End(nowMs);
            return false;
        }

        Cold.ForgetUsed(nowMs);
        if (CommandRoom.IsWanted)
        {
            Cold.ForgetUnread();
        }

        return Cold.TryStart(session, isInParts: true);
    }

    /// <summary>The run waits from here on: if it may be long, it gives the set of cold records back.</summary>
    public void OnSuspended(bool isLong)
    {
        if (isLong && Cold is { IsReading: false })
        {
            Cold.Return();
            Cold = null;
        }
    }

    /// <summary>Hashes the keys of the commands that are still to be executed, as the databases are now.</summary>
    public void Rehash(DatabaseMap databases, int database)
    {
        DatabaseVersion = databases.Version;
        foreach (ref var entry in Entries.AsSpan(RepliesFrom, Count - RepliesFrom))
        {
            if (entry.Outcome == RunOutcome.Deferred)
            {
                entry.Key = new Key(entry.Key.Pointer, entry.Key.Length, databases.PhysicalOf(database));
            }
        }
    }

    /// <summary>Makes the run empty again.</summary>
    public void Clear()
    {
        Count = 0;
        RepliesFrom = 0;
        HasBegun = false;
        HasWrites = false;
        Cold?.Reset();
        if (IsSuspended)
        {
            IsSuspended = false;
            Input.Free();
            CommandRoom.Clear();
        }
    }

    /// <summary>Makes the run empty again, and gives the memory back that it took while it waited.</summary>
    public void Free()
    {
        Clear();
        Input.Free();
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        Cold?.Return();
        Cold = null;
        Input.Dispose();
    }

    private void EndBegun(Session session)
    {
        HasBegun = false;
        session.EndUnfinished();
    }
}
