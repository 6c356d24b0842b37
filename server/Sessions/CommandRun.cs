using Strata.Server.Commands;
using Strata.Server.Resp;
using Strata.Storage;
using Strata.Storage.Index;
using Strata.Storage.Sharding;

namespace Strata.Server.Sessions;

/// <summary>
/// A stretch of single-key commands parsed ahead, so that their memory accesses overlap and commands of one shard share
/// its lease (scatter-gather). Replies that cannot go straight to the output are kept in a scratch buffer and
/// copied in wire order at the end.
/// </summary>
internal sealed unsafe class CommandRun : IDisposable
{
    private readonly int[] _firstOfShard;
    private readonly int[] _lastOfShard;

    public CommandRun(int shards, ErrorCounts errors)
    {
        Scratch = new ReplyWriter(errors);
        _firstOfShard = new int[shards];
        _lastOfShard = new int[shards];
        Array.Fill(_firstOfShard, -1);
    }

    /// <summary>The entries; only the first <see cref="Count"/> count.</summary>
    public RunEntry[] Entries { get; } = new RunEntry[Limits.MaxRunCommands];

    public int Count { get; private set; }

    public bool IsFull => Count == Limits.MaxRunCommands;

    /// <summary>Whether any command changes something.</summary>
    public bool HasWrites { get; private set; }

    /// <summary>Replies of executed commands, in the order of execution.</summary>
    public ReplyWriter Scratch { get; }

    /// <summary>Shards that have entries, in the order they were met.</summary>
    public int[] ShardsInUse { get; } = new int[Limits.MaxRunCommands];

    public int ShardCount { get; private set; }

    /// <summary>The version of the databases' mapping by which the keys were hashed.</summary>
    public long DatabaseVersion { get; set; }

    /// <summary>Groups that are in other hands.</summary>
    public int PendingGroups { get; set; }

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

    /// <summary>Links the entries from <paramref name="first"/> on by shard.</summary>
    public void GroupByShard(ShardMap shards, int first)
    {
        for (var i = first; i < Count; i++)
        {
            ref var entry = ref Entries[i];
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

    /// <summary>The first entry of a shard.</summary>
    public int FirstOf(int shard) => _firstOfShard[shard];

    /// <summary>Copies the replies from <paramref name="first"/> on in wire order.</summary>
    public void CopyReplies(ReplyWriter output, int first)
    {
        for (var i = first; i < Count; i++)
        {
            ref readonly var entry = ref Entries[i];
            output.Raw(new ReadOnlySpan<byte>(entry.ReplyBuffer!.Start + entry.ReplyStart, entry.ReplyLength));
        }
    }

    /// <summary>Makes the run empty again.</summary>
    public void Clear()
    {
        for (var i = 0; i < ShardCount; i++)
        {
            _firstOfShard[ShardsInUse[i]] = -1;
        }

        ShardCount = 0;
        Count = 0;
        HasWrites = false;
        Scratch.Clear();
    }

    /// <inheritdoc/>
    public void Dispose() => Scratch.Dispose();
}
