using System.Text;
using Strata.Storage.Collections.Streams;
using Strata.Storage.Index;
using Strata.Storage.Log;
using Strata.Storage.Sharding;
using Strata.Tests.Storage.Sharding;

namespace Strata.Tests.Storage.Collections.Streams;

/// <summary>Random changes of streams, as commands make them: entries, groups, consumers and what is pending.</summary>
/// <param name="random">Decides.</param>
internal sealed class StreamChanges(Random random)
{
    private const int MostAtOnce = 12;
    private const int MostEntries = 60;

    // Few, so that a stream of a few entries has several blocks.
    private static readonly StreamLimits s_limits = new(NodeBytes: 4096, NodeEntries: 20);

    private static readonly byte[][] s_groups = [.. new[] { "g", "another group" }.Select(Encoding.ASCII.GetBytes)];

    private static readonly byte[][] s_consumers = [.. new[] { "a", "b", "c" }.Select(Encoding.ASCII.GetBytes)];

    /// <summary>Makes a change; where it finds no memory, a part of one.</summary>
    /// <param name="shard">The key's shard.</param>
    /// <param name="key">The key.</param>
    /// <param name="record">The stream, in memory and not frozen, or none.</param>
    /// <param name="nowMs">Milliseconds since 1970.</param>
    public void Make(Shard shard, in Key key, in Record record, long nowMs)
    {
        var stream = new StreamEditor(shard, key, record, s_limits);
        try
        {
            Change(ref stream, nowMs);
        }
        finally
        {
            if (!stream.IsMissing)
            {
                stream.End(TestChange.Any);
            }
        }
    }

    private void Change(scoped ref StreamEditor stream, long nowMs)
    {
        if (stream.IsMissing)
        {
            stream.Create();
        }

        switch (random.Next(4))
        {
            case 0:
                Add(ref stream, random.Next(MostAtOnce));
                _ = stream.Trim(StreamTrim.ToLength(MostEntries) with { IsApproximate = true });
                break;
            case 1:
                Add(ref stream, 1);
                _ = stream.Delete(Any(stream.Read()));
                break;
            default:
                Add(ref stream, 1);
                ChangeGroup(ref stream, nowMs);
                break;
        }
    }

    private void Add(scoped ref StreamEditor stream, int count)
    {
        for (; count > 0; count--)
        {
            var last = stream.Read().LastId;
            var value = new byte[random.Next(30) == 0 ? random.Next(3000) : random.Next(30)];
            random.NextBytes(value);
            var name = random.Next(3) == 0 ? "field"u8 : "f"u8;
            stream.Append(
                new StreamId(last.Ms + (ulong)random.Next(2), last.Seq + 1),
                new StreamFieldList([name.ToArray(), value]));
        }
    }

    private void ChangeGroup(scoped ref StreamEditor stream, long nowMs)
    {
        _ = stream.TryCreateGroup(s_groups[random.Next(s_groups.Length)], StreamId.Min, entriesRead: 0, out var group);
        _ = stream.Edit(group).TryCreateConsumer(s_consumers[random.Next(s_consumers.Length)], nowMs, out var consumer);
        switch (random.Next(10))
        {
            case 0:
                stream.DestroyGroup(group);
                return;
            case 1:
                _ = stream.DeleteConsumer(consumer);
                return;
            case < 4:
                Acknowledge(stream, group);
                return;
            default:
                Give(ref stream, group, consumer, nowMs);
                return;
        }
    }

    private void Give(scoped ref StreamEditor stream, StreamGroup group, StreamConsumer consumer, long nowMs)
    {
        _ = group.LastId.TryNext(out var first);
        var cursor = stream.Read().Walk(first, StreamId.Max);
        for (var left = random.Next(MostAtOnce); left > 0 && cursor.TryNext(); left--)
        {
            stream.Edit(group).SetPending(consumer, cursor.Id, nowMs, 1 + random.Next(3));
            stream.Edit(group).SetRead(cursor.Id, group.EntriesRead + 1);
        }

        stream.Edit(group).SetActive(consumer, nowMs);
    }

    private void Acknowledge(scoped in StreamEditor stream, StreamGroup group)
    {
        for (var left = random.Next(MostAtOnce); left > 0 && group.TryFirstPending(out var id); left--)
        {
            _ = stream.Edit(group).RemovePending(id);
        }
    }

    private StreamId Any(in StreamView stream)
    {
        var cursor = stream.Walk(StreamId.Min, StreamId.Max);
        for (var skip = random.NextInt64(stream.Count); skip >= 0 && cursor.TryNext(); skip--)
        {
            // Up to that one.
        }

        return cursor.Id;
    }
}
