namespace Strata.Server.Messaging;

/// <summary>A hash table that any thread may look into, without a lock, while one changes it: its chains are never
/// changed, only replaced. Whoever changes it sees to it that nobody else does.</summary>
/// <typeparam name="T">What is in it.</typeparam>
internal sealed class ChainTable<T>
    where T : class
{
    // Each grows and shrinks for itself: all at once would hold others up.
    private const int Parts = 256;
    private const int PartShift = 56;
    private const int SmallestTable = 4;

    private readonly Part?[] _parts = new Part?[Parts];
    private int _count;

    /// <summary>How many there are; any thread.</summary>
    public int Count => Volatile.Read(ref _count);

    /// <summary>The chain in which those of a hash stand, with others. Any thread.</summary>
    public Link? ChainOf(ulong hash) => Volatile.Read(ref _parts[hash >> PartShift])?.ChainOf(hash);

    /// <summary>Adds one that is not there.</summary>
    public void Insert(T item, ulong hash)
    {
        ref var part = ref _parts[hash >> PartShift];
        if (part == null)
        {
            Volatile.Write(ref part, new Part());
        }

        part.Insert(item, hash);
        Volatile.Write(ref _count, _count + 1);
    }

    /// <summary>Takes one out that is there.</summary>
    public void Remove(T item, ulong hash)
    {
        _parts[hash >> PartShift]!.Remove(item, hash);
        Volatile.Write(ref _count, _count - 1);
    }

    /// <summary>Goes through all as they are now. Any thread.</summary>
    public Enumerator GetEnumerator() => new(_parts);

    /// <summary>Goes through all parts.</summary>
    public struct Enumerator
    {
        private readonly Part?[] _parts;
        private int _nextPart;
        private Link?[] _table = [];
        private int _next;
        private Link? _link;

        internal Enumerator(Part?[] parts)
        {
            _parts = parts;
        }

        /// <summary>Where the next one stands.</summary>
        public readonly Link Current => _link!;

        /// <summary>Goes on to the next one.</summary>
        public bool MoveNext()
        {
            _link = _link?.Next;
            while (_link == null && (_next < _table.Length || TryNextPart()))
            {
                _link = _next < _table.Length ? Volatile.Read(ref _table[_next++]) : null;
            }

            return _link != null;
        }

        private bool TryNextPart()
        {
            if (_nextPart == _parts.Length)
            {
                return false;
            }

            _table = Volatile.Read(ref _parts[_nextPart++])?.Table ?? [];
            _next = 0;
            return true;
        }
    }

    /// <summary>Those whose hashes begin alike.</summary>
    internal sealed class Part
    {
        private Link?[] _table = new Link?[SmallestTable];
        private int _count;

        /// <summary>The chains as they are now. Any thread.</summary>
        public Link?[] Table => Volatile.Read(ref _table);

        /// <inheritdoc cref="ChainTable{T}.ChainOf"/>
        public Link? ChainOf(ulong hash)
        {
            var table = Table;
            return Volatile.Read(ref table[IndexOf(hash, table)]);
        }

        /// <inheritdoc cref="ChainTable{T}.Insert"/>
        public void Insert(T item, ulong hash)
        {
            if (_count == _table.Length)
            {
                Resize(_table.Length * 2);
            }

            ref var first = ref _table[IndexOf(hash, _table)];
            Volatile.Write(ref first, new Link(item, hash, first));
            _count++;
        }

        /// <inheritdoc cref="ChainTable{T}.Remove"/>
        public void Remove(T item, ulong hash)
        {
            ref var first = ref _table[IndexOf(hash, _table)];
            Link? chain = null;
            for (var link = first; link != null; link = link.Next)
            {
                chain = link.Item == item ? chain : new Link(link.Item, link.Hash, chain);
            }

            Volatile.Write(ref first, chain);
            _count--;
            if (_table.Length > SmallestTable && _count < _table.Length / 4)
            {
                Resize(_table.Length / 2);
            }
        }

        private static int IndexOf(ulong hash, Link?[] table) => (int)((uint)hash & (uint)(table.Length - 1));

        private void Resize(int length)
        {
            var table = new Link?[length];
            foreach (var chain in _table)
            {
                for (var link = chain; link != null; link = link.Next)
                {
                    ref var first = ref table[IndexOf(link.Hash, table)];
                    first = new Link(link.Item, link.Hash, first);
                }
            }

            Volatile.Write(ref _table, table);
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
