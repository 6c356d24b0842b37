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
/// A stretch of single-key commands parsed ahead, so that their memory accesses overlap and commands of one shard share
/// its lease (scatter-gather). Replies that cannot go straight to the output are kept in a scratch buffer and
/// copied in wire order at the end.
/// </summary>
internal sealed unsafe class CommandRun : SuspendedWork, IDisposable
{
    /// <summary>
    /// Records fetched ahead of the one being executed: enough to hide a miss, few enough for the fill buffers.
    /// </summary>
    public const int PrefetchDistance = 6;

    /// <summary>The same in shards, whose entries are executed together.</summary>
    public const int GroupPrefetchDistance = 3;

    private const int BytesBesidesArrays = 1024;

    private readonly int[] _firstOfShard;
    private readonly int[] _lastOfShard;
    private RunExecutor? _executor;

    public CommandRun(ExecutionWorker worker)
    {
        var shards = worker.Server.Shards.Count;
        Scratch = new ReplyWriter(worker.Errors, worker.Budget, isSeldomUsed: true)
        {
            MayRefuse = worker.Reply.MayRefuse,
        };
        Input = new RunInput(worker.Budget);
        CommandRoom = new CommandRoom(worker);
        _firstOfShard = new int[shards];
        _lastOfShard = new int[shards];
        Array.Fill(_firstOfShard, -1);
    }

    /// <summary>Memory of a run itself and of what it always has, about.</summary>
    /// <param name="shards">How many the server has.</param>
    public static int OwnBytes(int shards)
        => BytesBesidesArrays + ArgumentBuffer.BytesFromTheStart(ArgumentBuffer.UsualCapacity)
            + (ServerLimits.MaxRunCommands * (Unsafe.SizeOf<RunEntry>() + sizeof(int)))
            + (2 * sizeof(int) * shards);

    /// <summary>The entries; only the first <see cref="Count"/> count.</summary>
    public RunEntry[] Entries { get; } = new RunEntry[ServerLimits.MaxRunCommands];

    public int Count { get; private set; }

    public bool IsFull => Count == ServerLimits.MaxRunCommands;

    /// <summary>Whether any command changes something.</summary>
    public bool HasWrites { get; private set; }

    /// <summary>Replies of executed commands, in the order of execution.</summary>
    public ReplyWriter Scratch { get; }

    /// <summary>Shards that have entries, in the order they were met.</summary>
    public int[] ShardsInUse { get; } = new int[ServerLimits.MaxRunCommands];

    public int ShardCount { get; private set; }

    /// <summary>The version of the databases' mapping by which the keys were hashed.</summary>
    public long DatabaseVersion { get; set; }

    /// <summary>The commands' bytes and arguments while the run waits.</summary>
    public RunInput Input { get; }

    /// <summary>The memory that is made for a command which found none.</summary>
    public CommandRoom CommandRoom { get; }

    /// <summary>Bytes charged to the budget.</summary>
    public long ChargedBytes => Scratch.ChargedBytes + Input.ChargedBytes + CommandRoom.ChargedBytes;

    /// <inheritdoc/>
    public override long MemoryBytes => Input.ChargedBytes;

    /// <summary>Whether the run waits: its commands lie in <see cref="Input"/>.</summary>
    public bool IsSuspended { get; private set; }

    /// <summary>The cold records that its commands need, in a set that the run keeps for its next commands; null where
    /// none can be.</summary>
    public ColdReadSet? Cold { get; set; }

    /// <summary>The commands that are in other hands.</summary>
    public List<DeferredGroup> Groups { get; } = [];

    /// <summary>The first entry whose reply is not in the output yet.</summary>
    public int RepliesFrom { get; set; }

    /// <summary>The command that has begun and goes on in steps, as <see cref="WaitingClient.Unfinished"/> has it;
    /// -1 for none. Until it is done no other is executed: a client's commands are unfinished one at a time.</summary>
    public int Begun { get; private set; } = -1;

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

    /// <summary>One of the commands has been executed. Whatever it answered, it goes on no longer: one that failed has
    /// not ended that itself.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void OnExecuted(int index, Session session)
    {
        if (IsSuspended)
        {
            CommandRoom.OnExecuted();
        }

        if (Begun >= 0 || Entries[index].Outcome == RunOutcome.Failed)
        {
            EndBegun(session);
        }
    }

    /// <summary>A command was not executed, or not to its end. Nothing else is before it is, if it has begun.</summary>
    public void OnLeft(int index, Session session) => Begun = session.Unfinished == null ? -1 : index;

    /// <summary>A command was refused: if it had begun, it holds nothing from here on.</summary>
    public void Reject(int index, Session session)
    {
        Entries[index].Outcome = RunOutcome.Rejected;
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

    /// <summary>Gives the groups back that were in other hands.</summary>
    public void ReturnGroups(Pool<DeferredGroup> groups)
    {
        foreach (var group in Groups)
        {
            groups.Return(group);
        }

        Groups.Clear();
    }

    /// <summary>All have come back to the run. Throws what a command threw on the thread of a lease's holder, and gives
    /// those back that have no reply which is still to be sent: a run may be left to others again and again.</summary>
    public void EndGroups(Session session, Pool<DeferredGroup> groups)
    {
        if (Begun >= 0 && Entries[Begun].Outcome != RunOutcome.Deferred)
        {
            EndBegun(session);
        }

        foreach (var group in Groups)
        {
            group.ThrowIfFailed();
        }

        var kept = 0;
        for (var i = 0; i < Groups.Count; i++)
        {
            if (Groups[i].LastExecuted >= RepliesFrom)
            {
                Groups[kept++] = Groups[i];
            }
            else
            {
                groups.Return(Groups[i]);
            }
        }

        Groups.RemoveRange(kept, Groups.Count - kept);
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

    /// <summary>Fetches the records of the entries of some shards, once they are grouped.</summary>
    public void PrefetchGroups(ShardMap shards, int first, int count)
    {
        for (var i = first; i < Math.Min(first + count, ShardCount); i++)
        {
            var shard = shards[ShardsInUse[i]];
            for (var entry = FirstOf(shard.Number); entry >= 0; entry = Entries[entry].NextOfShard)
            {
                shard.PrefetchRecord(Entries[entry].Key.Hash);
            }
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
    /// What the client is told meanwhile of keys that it has read comes behind the replies that are gathered.</summary>
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

    /// <summary>Whether a command before entry <paramref name="index"/> that is still to be executed has the same key:
    /// the order per key is that of the wire.</summary>
    public bool MustFollow(int index)
    {
        var hash = Entries[index].Key.Hash;
        for (var i = RepliesFrom; i < index; i++)
        {
            if (Entries[i].Outcome == RunOutcome.Deferred && Entries[i].Key.Hash == hash)
            {
                return true;
            }
        }

        return false;
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

    /// <summary>Links the entries that are still to be executed by shard.</summary>
    public void GroupByShard(ShardMap shards)
    {
        Ungroup();
        for (var i = RepliesFrom; i < Count; i++)
        {
            ref var entry = ref Entries[i];
            if (entry.Outcome != RunOutcome.Deferred)
            {
                continue;
            }

            var shard = shards.NumberOf(entry.Key.Hash);
            entry.Shard = shard;
            entry.NextOfShard = -1;
            if (_firstOfShard[shard] < 0)
            {
                _firstOfShard[shard] = i;
                ShardsInUse[ShardCount++] = shard;
            }
            else
            {
                Entries[_lastOfShard[shard]].NextOfShard = i;
            }

            _lastOfShard[shard] = i;
        }
    }

    /// <summary>Whether a command may wake somebody who waits for a key, whose turn is before what follows the command.
    /// Without the lease: who has begun to wait before the command was sent is seen.</summary>
    public static bool MayWake(ShardMap shards, in RunEntry entry)
        => entry.Row.Has(CommandFlags.Write) && shards.Of(entry.Key.Hash).Waits.Count > 0;

    /// <summary>Whether one of the commands that are grouped may wake somebody.</summary>
    public bool MayWake(ShardMap shards)
    {
        for (var i = 0; i < ShardCount; i++)
        {
            var entry = shards[ShardsInUse[i]].Waits.Count > 0 ? FirstOf(ShardsInUse[i]) : -1;
            for (; entry >= 0; entry = Entries[entry].NextOfShard)
            {
                if (Entries[entry].Row.Has(CommandFlags.Write))
                {
                    return true;
                }
            }
        }

        return false;
    }

    /// <summary>The first entry of a shard.</summary>
    public int FirstOf(int shard) => _firstOfShard[shard];

    /// <summary>Makes the run empty again.</summary>
    public void Clear()
    {
        Ungroup();
        Count = 0;
        RepliesFrom = 0;
        Begun = -1;
        HasWrites = false;
        Scratch.Clear();
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
        Scratch.Free();
        Input.Free();
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        Cold?.Return();
        Cold = null;
        Scratch.Dispose();
        Input.Dispose();
    }

    private void EndBegun(Session session)
    {
        Begun = -1;
        session.EndUnfinished();
    }

    private void Ungroup()
    {
        for (var i = 0; i < ShardCount; i++)
        {
            _firstOfShard[ShardsInUse[i]] = -1;
        }

        ShardCount = 0;
    }
}
