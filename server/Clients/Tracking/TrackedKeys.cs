using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Strata.Storage.Memory;

namespace Strata.Server.Clients.Tracking;

/// <summary>
/// The keys that a worker's clients have read and may have kept, and which clients those are: what they have to be told
/// when a key changes. Keys are found by their hash; a name is kept to be told when the entry is given up. Worker's
/// thread only, but for <see cref="Filter"/>.
/// </summary>
/// <remarks>A hash table with chains that grows by one bucket at a time (linear hashing, Litwin, VLDB '80): no client
/// waits while all of it moves. Entries lie in chunks, so that those do not move, either. A client that has gone leaves
/// its numbers behind, which go with the key's change, or when a longer list would have to be made.</remarks>
internal sealed unsafe class TrackedKeys : IDisposable
{
    private const int ChunkBits = 7;
    private const int ChunkLength = 1 << ChunkBits;
    private const int None = -1;
    private const int FirstList = 4;
    private const long ChargeStep = 4096;

    // How many places are looked at for an entry to be given up.
    private const int VictimSteps = 64;

    private readonly MemoryBudget _budget;
    private MemoryCharge _charge;
    private readonly List<Entry[]> _entries = [];
    private readonly List<int[]> _heads = [];
    private long _bytes;
    private int _used;
    private int _free = None;
    private int _buckets;
    private int _mask = ChunkLength - 1;
    private int _victim;

    /// <summary>No keys.</summary>
    /// <param name="budget">What it is charged to.</param>
    /// <param name="filterBits">Bits of <see cref="Filter"/>, a power of two and more than a few thousand.</param>
    public TrackedKeys(MemoryBudget budget, int filterBits)
    {
        _budget = budget;
        _charge = new MemoryCharge(budget);
        Filter = new KeyFilter(filterBits);
        Take(Filter.SizeBytes);
        AddHeads();
        _buckets = ChunkLength;
    }

    /// <summary>Tells whoever changes a key whether it may be here.</summary>
    public KeyFilter Filter { get; }

    /// <summary>Keys; any thread may read it.</summary>
    public int Count { get; private set; }

    /// <summary>Clients of all keys; any thread may read it.</summary>
    public long Items { get; private set; }

    /// <summary>Bytes charged to the budget.</summary>
    public long ChargedBytes => _charge.Bytes;

    /// <summary>Remembers that a client has read a key.</summary>
    /// <param name="hash">The key's hash.</param>
    /// <param name="name">The key's name.</param>
    /// <param name="client">The client's number.</param>
    /// <param name="isThere">Whether a client, by its number, is still to be told.</param>
    /// <returns>False where there is no memory for it: nothing was changed.</returns>
    public bool TryAdd(ulong hash, ReadOnlySpan<byte> name, long client, Func<long, bool> isThere)
    {
        ref var head = ref HeadOf(hash);
        for (var i = head; i != None; i = At(i).Next)
        {
            if (At(i).Hash == hash)
            {
                return At(i).IsOf(client) || TryAddTo(ref At(i), client, isThere);
            }
        }

        if (_budget.WouldPassEnd(name.Length + ChargeStep))
        {
            return false;
        }

        Filter.Set(hash);
        var place = TakePlace();
        ref var entry = ref At(place);
        entry = new Entry { Hash = hash, Next = head, Count = 1, Client = client, NameLength = name.Length };
        if (name.Length > 0)
        {
            entry.Name = (byte*)NativeMemory.Alloc((nuint)name.Length);
            name.CopyTo(new Span<byte>(entry.Name, name.Length));
            Take(name.Length);
        }

        head = place;
        Count++;
        Items++;
        Grow();
        return true;
    }

    /// <summary>Takes a key out.</summary>
    /// <returns>Whether it was there; then it must be disposed of.</returns>
    public bool TryTake(ulong hash, out TrackedKey key)
    {
        ref var link = ref HeadOf(hash);
        while (link != None && At(link).Hash != hash)
        {
            link = ref At(link).Next;
        }

        if (link == None)
        {
            key = default;
            return false;
        }

        var place = link;
        ref var entry = ref At(place);
        link = entry.Next;
        key = new TrackedKey(entry);
        Take(-entry.OwnBytes);
        Items -= entry.Count;
        Count--;
        entry = new Entry { Next = _free };
        _free = place;
        ClearFilter(hash);
        return true;
    }

    /// <summary>Finds a key that may be given up: not the same one again and again.</summary>
    /// <param name="hash">Its hash.</param>
    /// <param name="name">Its name, until something is changed.</param>
    public bool TryFindVictim(out ulong hash, out ReadOnlySpan<byte> name)
    {
        for (var steps = Math.Min(VictimSteps, _used); steps > 0; steps--)
        {
            _victim = _victim + 1 < _used ? _victim + 1 : 0;
            ref readonly var entry = ref At(_victim);
            if (entry.Count > 0)
            {
                hash = entry.Hash;
                name = new ReadOnlySpan<byte>(entry.Name, entry.NameLength);
                return true;
            }
        }

        hash = 0;
        name = default;
        return false;
    }

    /// <summary>Frees some of what the entries have of their own; when all of it is freed the rest goes by itself.
    /// </summary>
    /// <param name="chunk">Which of <see cref="Chunks"/>.</param>
    public void FreeChunk(int chunk)
    {
        foreach (ref var entry in _entries[chunk].AsSpan())
        {
            new TrackedKey(entry).Dispose();
            Take(-entry.OwnBytes);
            entry = default;
        }

        if (chunk == _entries.Count - 1)
        {
            _charge.Set(0);
        }
    }

    /// <summary>Parts in which what it has is freed; the last one may be freed last only.</summary>
    public int Chunks => _entries.Count;

    /// <inheritdoc/>
    public void Dispose()
    {
        for (var i = 0; i < Chunks; i++)
        {
            FreeChunk(i);
        }

        _charge.Set(0);
    }

    private bool TryAddTo(ref Entry entry, long client, Func<long, bool> isThere)
    {
        var isFull = entry.Count == Math.Max(1, entry.Capacity);
        Items -= isFull ? entry.RemoveAll(isThere) : 0;
        if (isFull && entry.Count > entry.Capacity / 2)
        {
            var capacity = Math.Max(FirstList, entry.Capacity * 2);
            if (_budget.WouldPassEnd((long)capacity * sizeof(long)))
            {
                return false;
            }

            var before = entry.OwnBytes;
            entry.Extend(capacity);
            Take(entry.OwnBytes - before);
        }

        entry.Insert(client);
        Items++;
        return true;
    }

    /// <summary>Clears a bit of the filter if no other key has it: those that have are in the same chain.</summary>
    private void ClearFilter(ulong hash)
    {
        for (var i = HeadOf(hash); i != None; i = At(i).Next)
        {
            if ((((int)At(i).Hash ^ (int)hash) & Filter.Mask) == 0)
            {
                return;
            }
        }

        Filter.Clear(hash);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private ref Entry At(int place) => ref _entries[place >> ChunkBits][place & (ChunkLength - 1)];

    private ref int HeadOf(ulong hash) => ref Head(BucketOf(hash));

    private ref int Head(int bucket) => ref _heads[bucket >> ChunkBits][bucket & (ChunkLength - 1)];

    private int BucketOf(ulong hash)
    {
        var bucket = (int)hash & _mask;
        return bucket < _buckets ? bucket : bucket & (_mask >> 1);
    }

    private int TakePlace()
    {
        if (_free != None)
        {
            var place = _free;
            _free = At(place).Next;
            return place;
        }

        if (_used == _entries.Count * ChunkLength)
        {
            _entries.Add(new Entry[ChunkLength]);
            Take(ChunkLength * sizeof(Entry));
        }

        return _used++;
    }

    /// <summary>Adds a bucket where there are more keys than buckets: some keys of another one go there. No bucket has
    /// keys that a bit of the filter, and so another bucket's keys, could not be told from.</summary>
    private void Grow()
    {
        if (Count <= _buckets || _buckets > Filter.Mask)
        {
            return;
        }

        var added = _buckets;
        if (added == _heads.Count * ChunkLength)
        {
            AddHeads();
        }

        _mask = added > _mask ? (_mask * 2) + 1 : _mask;
        ref var link = ref Head(added & (_mask >> 1));
        _buckets++;
        ref var target = ref Head(added);
        while (link != None)
        {
            ref var entry = ref At(link);
            if (((int)entry.Hash & _mask) == added)
            {
                (link, entry.Next, target) = (entry.Next, target, link);
            }
            else
            {
                link = ref entry.Next;
            }
        }
    }

    private void AddHeads()
    {
        var heads = new int[ChunkLength];
        Array.Fill(heads, None);
        _heads.Add(heads);
        Take(ChunkLength * sizeof(int));
    }

    /// <summary>Counts memory, which is charged in steps.</summary>
    private void Take(long bytes)
    {
        _bytes += bytes;
        if (Math.Abs(_bytes - _charge.Bytes) >= ChargeStep)
        {
            _charge.Set(_bytes);
        }
    }

    /// <summary>A key, or, of a free place, the next one.</summary>
    internal struct Entry
    {
        public ulong Hash;
        public byte* Name;

        // In ascending order; of one client, itself.
        public long* List;
        public long Client;
        public int NameLength;
        public int Next;
        public int Count;
        public int Capacity;

        /// <summary>Memory that it has beside its place, bytes.</summary>
        public readonly long OwnBytes => NameLength + ((long)Capacity * sizeof(long));

        private readonly Span<long> Clients => new(List, Count);

        public readonly bool IsOf(long client)
            => Capacity == 0 ? Client == client : Clients.BinarySearch(client) >= 0;

        /// <summary>Makes room for so many clients.</summary>
        public void Extend(int capacity)
        {
            List = (long*)NativeMemory.Realloc(List, (nuint)capacity * sizeof(long));
            if (Capacity == 0)
            {
                *List = Client;
            }

            Capacity = capacity;
        }

        /// <summary>Adds a client that is not there, where there is room.</summary>
        public void Insert(long client)
        {
            if (Capacity == 0)
            {
                (Client, Count) = (client, 1);
                return;
            }

            var place = ~Clients.BinarySearch(client);
            Clients[place..].CopyTo(new Span<long>(List + place + 1, Count - place));
            List[place] = client;
            Count++;
        }

        /// <summary>Takes all clients out that are not there any more.</summary>
        /// <returns>How many.</returns>
        public int RemoveAll(Func<long, bool> isThere)
        {
            var before = Count;
            if (Capacity == 0)
            {
                Count = isThere(Client) ? 1 : 0;
                return before - Count;
            }

            var kept = 0;
            foreach (var client in Clients)
            {
                if (isThere(client))
                {
                    List[kept++] = client;
                }
            }

            Count = kept;
            return before - kept;
        }
    }
}
