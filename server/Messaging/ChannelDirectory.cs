using Strata.Server.Commands.Model;
using Strata.Storage.Index;
using Strata.Storage.Memory;

namespace Strata.Server.Messaging;

/// <summary>
/// The channels (or the patterns, or the shard channels) that have subscribers, for the whole server. Subscribing takes
/// a lock; whoever publishes looks names up, or goes through all of them, without one: the chains of the hash table
/// are never changed, only replaced.
/// </summary>
internal sealed class ChannelDirectory
{
    private const int SmallestTable = 16;

    private readonly Lock _lock = new();
    private readonly int _workers;
    private readonly MemoryBudget _budget;
    private Link?[] _table = new Link?[SmallestTable];
    private int _count;

    /// <summary>No channels.</summary>
    /// <param name="workers">How many may have subscribers.</param>
    /// <param name="budget">What channels and subscriptions are charged to.</param>
    public ChannelDirectory(int workers, MemoryBudget budget)
    {
        _workers = workers;
        _budget = budget;
    }

    /// <summary>Channels with subscribers; any thread.</summary>
    public int Count => Volatile.Read(ref _count);

    /// <summary>The hash by which names are found.</summary>
    public static unsafe ulong HashOf(ReadOnlySpan<byte> name)
    {
        fixed (byte* start = name)
        {
            return KeyHash.Compute(start, name.Length, database: 0);
        }
    }

    /// <summary>The channel of a name; null when it has no subscribers. Any thread.</summary>
    public Channel? Find(ReadOnlySpan<byte> name, ulong hash)
    {
        var table = Volatile.Read(ref _table);
        for (var link = Volatile.Read(ref table[IndexOf(hash, table)]); link != null; link = link.Next)
        {
            if (link.Channel.Hash == hash && name.SequenceEqual(link.Channel.Name))
            {
                return link.Channel;
            }
        }

        return null;
    }

    /// <summary>Subscribes a client, which must not subscribe to the channel yet; on its worker.</summary>
    /// <param name="client">The subscriber.</param>
    /// <param name="name">The channel's name.</param>
    /// <param name="isFirst">Whether there was no channel before.</param>
    public Channel Subscribe(CommandClient client, ReadOnlySpan<byte> name, out bool isFirst)
    {
        var hash = HashOf(name);
        lock (_lock)
        {
            var channel = Find(name, hash);
            isFirst = channel == null && _count == 0;
            if (channel == null)
            {
                channel = new Channel(name, hash, _workers);
                Insert(channel);
                _budget.Charge(channel.SizeBytes);
            }

            channel.Add(client);
            _budget.Charge(Channel.BytesPerSubscription);
            return channel;
        }
    }

    /// <summary>Ends a subscription; on the client's worker.</summary>
    /// <returns>Whether no channel is left.</returns>
    public bool Unsubscribe(CommandClient client, Channel channel)
    {
        lock (_lock)
        {
            channel.Remove(client);
            _budget.Charge(-Channel.BytesPerSubscription);
            if (channel.Total > 0)
            {
                return false;
            }

            Remove(channel);
            _budget.Charge(-channel.SizeBytes);
            return _count == 0;
        }
    }

    /// <summary>Goes through the channels as they are now. Any thread.</summary>
    public Enumerator GetEnumerator() => new(Volatile.Read(ref _table));

    private static int IndexOf(ulong hash, Link?[] table) => (int)((uint)hash & (uint)(table.Length - 1));

    private void Insert(Channel channel)
    {
        if (_count == _table.Length)
        {
            Resize(_table.Length * 2);
        }

        ref var first = ref _table[IndexOf(channel.Hash, _table)];
        Volatile.Write(ref first, new Link(channel, first));
        Volatile.Write(ref _count, _count + 1);
    }

    private void Remove(Channel channel)
    {
        ref var first = ref _table[IndexOf(channel.Hash, _table)];
        Link? chain = null;
        for (var link = first; link != null; link = link.Next)
        {
            chain = link.Channel == channel ? chain : new Link(link.Channel, chain);
        }

        Volatile.Write(ref first, chain);
        Volatile.Write(ref _count, _count - 1);
        if (_table.Length > SmallestTable && _count < _table.Length / 4)
        {
            Resize(_table.Length / 2);
        }
    }

    private void Resize(int length)
    {
        var table = new Link?[length];
        foreach (var channel in this)
        {
            ref var first = ref table[IndexOf(channel.Hash, table)];
            first = new Link(channel, first);
        }

        Volatile.Write(ref _table, table);
    }

    /// <summary>Goes through the channels of a table.</summary>
    public ref struct Enumerator
    {
        private readonly Link?[] _table;
        private int _next;
        private Link? _link;

        internal Enumerator(Link?[] table)
        {
            _table = table;
        }

        /// <summary>The channel.</summary>
        public readonly Channel Current => _link!.Channel;

        /// <summary>Goes on to the next channel.</summary>
        public bool MoveNext()
        {
            _link = _link?.Next;
            while (_link == null && _next < _table.Length)
            {
                _link = Volatile.Read(ref _table[_next++]);
            }

            return _link != null;
        }
    }

    /// <summary>A place in a chain; never changed.</summary>
    internal sealed record Link(Channel Channel, Link? Next);
}
