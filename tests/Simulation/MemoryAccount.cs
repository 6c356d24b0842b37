using Strata.Server;
using Strata.Server.Execution.Runs;
using Strata.Storage.Sharding;
using Strata.Storage.Tiering;

namespace Strata.Tests.Simulation;

/// <summary>To whom the bytes that are charged to a server's memory budget belong, as far as that can be told without
/// connections. When all clients have gone that is all of it, to the byte.</summary>
internal static class MemoryAccount
{
    /// <summary>Bytes of the shards: what keys take, and what is kept for use again.</summary>
    public static long OfShards(StrataServer server)
    {
        var bytes = 0L;
        foreach (var shard in server.Context.Shards.All)
        {
            var log = shard.Log;
            bytes += log.PageMemoryBytes + log.RetiredBytes + shard.Index.SizeBytes
                + shard.Collections.Heap.SizeBytes + KeptBy(shard);
        }

        return bytes;
    }

    /// <summary>Those of them that are kept for use again.</summary>
    public static long KeptByShards(StrataServer server) => server.Context.Shards.All.ToArray().Sum(KeptBy);

    /// <summary>Bytes of the slow log, and of the workers' buffers and pools.</summary>
    public static long OfPools(StrataServer server)
        => server.Services.Users.ChargedBytes + server.Services.AccessLog.ChargedBytes
            + server.Services.Diagnostics.SlowLog.ChargedBytes
            + server.Services.Scripts.Cache.Size.Bytes
            + server.Services.Scripts.Functions.Current.MemoryBytes
            + server.Context.Shards.Budget.Buffers.IdleBytes
            + server.Workers.Sum(OfObjects)
            + server.Workers.Sum(worker => (long)worker.ConnectionCount * ServerLimits.BytesPerClient)
            + server.Workers.Sum(worker => worker.TransactionQueues.Kept.Sum(queue => queue.ChargedBytes)
            + worker.Reply.ChargedBytes + worker.Arguments.ChargedBytes
            + worker.ArgumentBuffers.Kept.Sum(buffer => buffer.ChargedBytes)
            + worker.Runs.Kept.Append(worker.Run).Sum(run => run.ChargedBytes)
            + worker.Groups.Kept.Sum(group => group.ChargedBytes)
            + worker.Messages.ChargedBytes + worker.Tracking.ChargedBytes
            + worker.Scripts.ChargedBytes + worker.Functions.StateBytes
            + (worker.Tier?.ReadPool.Kept.Sum(read => (long)read.KeptBytes) ?? 0));

    /// <summary>Bytes of what there is before anything is executed: the users, and the run of each worker.</summary>
    public static long OfPoolsAtStart(StrataServer server)
        => server.Services.Users.ChargedBytes
            + ((long)server.Workers.Count * CommandRun.OwnBytes);

    /// <summary>What the budget holds, in words, for a failure that memory has to do with.</summary>
    public static string Describe(StrataServer server)
    {
        var budget = server.Context.Shards.Budget;
        var room = server.Context.Shards.Tier?.ColdRoom;
        var shards = server.Context.Shards.All.ToArray().Select(shard =>
            $"shard {shard.Number}: pages {shard.Log.PageMemoryBytes} (live {shard.Log.LiveBytes}), retired "
            + $"{shard.Log.RetiredBytes}, index {shard.Index.SizeBytes}, heap {shard.Collections.Heap.SizeBytes}, kept "
            + $"{KeptBy(shard)}");
        return $"Memory: used {budget.UsedBytes} of {budget.LimitBytes}, retired {budget.RetiredBytes}, leaving "
            + $"{budget.LeavingBytes}; shards {OfShards(server)}, pools {OfPools(server)}; cold records take "
            + $"{room?.TakenBytes ?? 0}, and {room?.Waiting ?? 0} sets wait\n{string.Join('\n', shards)}";
    }

    /// <summary>What is lent from a pool though no client is there that could have it; null when nothing is.</summary>
    public static string? FirstLent(StrataServer server)
    {
        foreach (var worker in server.Workers)
        {
            // A worker has one run itself, and a run keeps the set it was executed with.
            var sets = worker.Runs.Kept.Append(worker.Run).Count(run => run.Cold != null);
            var fault = worker.Runs.Lent != 1 ? $"{worker.Runs.Lent - 1} runs"
                : worker.Groups.Lent != 0 ? $"{worker.Groups.Lent} groups of runs"
                : worker.Lone.Suspended.Lent != 0 ? $"{worker.Lone.Suspended.Lent} commands that waited"
                : worker.TransactionQueues.Lent != 0 ? $"{worker.TransactionQueues.Lent} transactions"
                : worker.ArgumentBuffers.Lent != 0 ? $"{worker.ArgumentBuffers.Lent} buffers of arguments"
                : worker.Tier is { } tier && tier.Sets.Lent != sets ? $"{tier.Sets.Lent - sets} sets of cold records"
                : worker.Tier is { ReadPool.Lent: not 0 and var reads } ? $"{reads} reads of cold records"
                : null;
            if (fault != null)
            {
                return $"worker {worker.Number} does not get back {fault}";
            }
        }

        return server.Context.Shards.Tier is not { } shared ? null
            : FirstLent(shared.ColdRoom) ?? FirstLent(shared.LittleColdRoom);
    }

    private static string? FirstLent(ColdReadRoom room)
        => (room.TakenBytes, room.Waiting) != (0, 0)
            ? $"{room.TakenBytes} bytes are taken for cold records, and {room.Waiting} sets wait"
            : null;

    /// <summary>What is left of a shard whose keys were all deleted, when it has had time to settle; null when it is
    /// empty.</summary>
    public static string? FirstLeft(Shard shard)
    {
        var (log, heap) = (shard.Log, shard.Collections.Heap);
        return shard.Index.Count != 0 ? $"shard {shard.Number}: {shard.Index.Count} entries"
            : log.LiveBytes != 0 ? $"shard {shard.Number}: {log.LiveBytes} live bytes"
            : log.RetiredBytes != 0 ? $"shard {shard.Number}: {log.RetiredBytes} retired bytes"
            : shard.Collections.DoomedBytes != 0 ? $"shard {shard.Number}: {shard.Collections.DoomedBytes} doomed bytes"
            : heap.UsedBytes != 0 ? $"shard {shard.Number}: {heap.UsedBytes} bytes of the heap"
            : shard.Collections.Huge.Bytes != 0 ? $"shard {shard.Number}: {shard.Collections.Huge.Bytes} huge bytes"
            : log.Device is { ColdPages: not 0 and var pages } ? $"shard {shard.Number}: {pages} cold pages"
            : null;
    }

    /// <summary>Bytes of what a worker's pools have made, lent or not.</summary>
    private static long OfObjects(ServerWorker worker)
        => worker.Runs.ChargedBytes + worker.Groups.ChargedBytes + worker.Lone.Suspended.ChargedBytes
            + worker.TransactionQueues.ChargedBytes + worker.ArgumentBuffers.ChargedBytes
            + (worker.Tier is { } tier ? tier.ReadPool.ChargedBytes + tier.Sets.ChargedBytes + tier.ColdAskBytes : 0);

    private static long KeptBy(Shard shard)
        => shard.Log.FreeFrameBytes + shard.Collections.Heap.FreeSlabBytes + shard.GhostBytes;
}
