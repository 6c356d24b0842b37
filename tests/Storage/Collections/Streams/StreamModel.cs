using Strata.Server.Rdb;
using Strata.Storage.Collections.Streams;

namespace Strata.Tests.Storage.Collections.Streams;

/// <summary>A stream as Redis has it: entries in nodes, which take entries up to some number and some bytes, groups
/// with consumers, and what these have not acknowledged.</summary>
internal sealed class StreamModel(StreamLimits limits)
{
    private readonly List<Node> _nodes = [];

    public SortedDictionary<StreamId, byte[][]> Entries { get; } = [];

    public SortedDictionary<string, Group> Groups { get; } = new(StringComparer.Ordinal);

    public StreamId LastId { get; set; }

    public StreamId MaxDeletedId { get; set; }

    public long EntriesAdded { get; set; }

    public int NodeCount => _nodes.Count;

    public StreamId FirstId => Entries.Count == 0 ? default : Entries.Keys.First();

    public void Clear()
    {
        _nodes.Clear();
        Entries.Clear();
        LastId = default;
        MaxDeletedId = default;
        EntriesAdded = 0;
    }

    public void Append(StreamId id, byte[][] fields)
    {
        var tail = _nodes.Count == 0 ? null : _nodes[^1];
        var bytes = fields.Sum(part => (long)part.Length);
        if (tail == null || tail.Bytes + bytes >= Math.Min(limits.NodeBytes, 64 << 10)
            || tail.Ids.Count + tail.Deleted >= limits.NodeEntries)
        {
            tail = new Node(id, [.. fields.Where((_, i) => i % 2 == 0)]);
            _nodes.Add(tail);
        }

        tail.Add(id, fields);
        Entries.Add(id, fields);
        LastId = id;
        EntriesAdded++;
    }

    public bool Delete(StreamId id)
    {
        if (!Entries.Remove(id))
        {
            return false;
        }

        var node = _nodes.Single(node => node.Ids.Contains(id));
        _ = node.Ids.Remove(id);
        node.Deleted++;
        _ = node.Ids.Count == 0 && _nodes.Remove(node);
        MaxDeletedId = id > MaxDeletedId ? id : MaxDeletedId;
        return true;
    }

    public long Trim(long length, StreamId least, bool isByLength, bool isApproximate, long limit)
    {
        var removed = 0L;
        while (_nodes.Count > 0 && !(isByLength && Entries.Count <= length))
        {
            var node = _nodes[0];
            if (limit > 0 && removed + node.Ids.Count > limit)
            {
                break;
            }

            if (isByLength
                ? Entries.Count - node.Ids.Count >= length
                : (isApproximate ? node.LastId : node.Ids.Max) < least)
            {
                removed += node.Ids.Count;
                node.Ids.ToList().ForEach(id => Entries.Remove(id));
                _nodes.RemoveAt(0);
                continue;
            }

            while (!isApproximate && (isByLength ? Entries.Count > length : node.Ids.Min < least))
            {
                removed++;
                _ = Entries.Remove(node.Ids.Min);
                _ = node.Ids.Remove(node.Ids.Min);
                node.Deleted++;
            }

            break;
        }

        return removed;
    }

    internal sealed class Group
    {
        public StreamId LastId { get; set; }

        public long EntriesRead { get; set; }

        public SortedDictionary<string, Consumer> Consumers { get; } = new(StringComparer.Ordinal);

        public SortedDictionary<StreamId, (string Consumer, long Ms, long Deliveries)> Pending { get; } = [];
    }

    internal sealed class Consumer
    {
        public long SeenMs { get; set; }

        public long ActiveMs { get; set; } = -1;
    }

    private sealed class Node(StreamId firstId, byte[][] names)
    {
        private int _entryBytes = ListpackWriter.FrameBytes + SizeOf(names.Length) + SizeOf(0) + names.Sum(SizeOf);

        public SortedSet<StreamId> Ids { get; } = [];

        public int Deleted { get; set; }

        /// <summary>Of the last one it had, which may be deleted.</summary>
        public StreamId LastId { get; private set; }

        public int Bytes => _entryBytes + SizeOf(Ids.Count) + SizeOf(Deleted);

        public void Add(StreamId id, byte[][] fields)
        {
            var isSame = fields.Length == 2 * names.Length
                && names.Select((name, i) => name.AsSpan().SequenceEqual(fields[2 * i])).All(same => same);
            _entryBytes += SizeOf(isSame ? 2 : 0)
                + SizeOf((long)(id.Ms - firstId.Ms)) + SizeOf((long)(id.Seq - firstId.Seq))
                + SizeOf(isSame ? names.Length + 3 : fields.Length + 4)
                + (isSame ? 0 : SizeOf(fields.Length / 2))
                + fields.Where((_, i) => !isSame || i % 2 == 1).Sum(SizeOf);
            _ = Ids.Add(id);
            LastId = id;
        }

        private static int SizeOf(byte[] text) => ListpackWriter.BytesOf(text);

        private static int SizeOf(long number)
            => ListpackWriter.BytesOf(System.Text.Encoding.ASCII.GetBytes($"{number}"));
    }
}
