namespace Strata.Server.Messaging;

/// <summary>A hash table that any thread may look into, without a lock, while one changes it: its chains are never
/// changed, only replaced. Whoever changes it sees to it that nobody else does.</summary>
/// <typeparam name="T">What is in it.</typeparam>
internal sealed class ChainTable<T>
    where T : class
{
    private const int SmallestTable = 16;

    private Link?[] _table = new Link?[SmallestTable];
    private int _count;

    /// <summary>How many there are; any thread.</summary>
    public int Count => Volatile.Read(ref _count);

    /// <summary>The chain in which those of a hash stand, with others. Any thread.</summary>
    public Link? ChainOf(ulong hash)
    {
        var table = Volatile.Read(ref _table);
        return Volatile.Read(ref table[IndexOf(hash, table)]);
    }

    /// <summary>Adds one that is not there.</summary>
    public void Insert(T item, ulong hash)
    {
        if (_count == _table.Length)
        {
            Resize(_table.Length * 2);
        }

        ref var first = ref _table[IndexOf(hash, _table)];
        Volatile.Write(ref first, new Link(item, hash, first));
        Volatile.Write(ref _count, _count + 1);
    }

    /// <summary>Takes one out that is there.</summary>
    public void Remove(T item, ulong hash)
    {
        ref var first = ref _table[IndexOf(hash, _table)];
        Link? chain = null;
        for (var link = first; link != null; link = link.Next)
        {
            chain = link.Item == item ? chain : new Link(link.Item, link.Hash, chain);
        }

        Volatile.Write(ref first, chain);
        Volatile.Write(ref _count, _count - 1);
        if (_table.Length > SmallestTable && _count < _table.Length / 4)
        {
            Resize(_table.Length / 2);
        }
    }

    /// <summary>Goes through all as they are now. Any thread.</summary>
    public Enumerator GetEnumerator() => new(Volatile.Read(ref _table));

    private static int IndexOf(ulong hash, Link?[] table) => (int)((uint)hash & (uint)(table.Length - 1));

    private void Resize(int length)
    {
        var table = new Link?[length];
        foreach (var link in this)
        {
            ref var first = ref table[IndexOf(link.Hash, table)];
            first = new Link(link.Item, link.Hash, first);
        }

        Volatile.Write(ref _table, table);
    }

    /// <summary>Goes through a table.</summary>
    public struct Enumerator
    {
        private readonly Link?[] _table;
        private int _next;
        private Link? _link;

        internal Enumerator(Link?[] table)
        {
            _table = table;
        }

        /// <summary>Where the next one stands.</summary>
        public readonly Link Current => _link!;

        /// <summary>Goes on to the next one.</summary>
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
    internal sealed class Link(T item, ulong hash, Link? next)
    {
        /// <summary>What stands here.</summary>
        public T Item { get; } = item;

        /// <summary>Its hash.</summary>
        public ulong Hash { get; } = hash;

        /// <summary>The next place in the chain.</summary>
        public Link? Next { get; } = next;
    }
}
