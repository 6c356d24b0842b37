using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Runtime.Intrinsics.X86;
using Strata.Storage.Memory;

namespace Strata.Server.Clients.Tracking;

/// <summary>
/// The keys that a worker's clients have read and may have kept, and which clients those are: what they have to be told
/// when a key changes. Keys are found by their hash; a name is kept to be told when the entry is given up. Worker's
/// thread only, but for <see cref="Filter"/>.
/// </summary>
/// <remarks>A hash table with chains that grows by one bucket at a time (linear hashing, Litwin, VLDB '80): no client
/// waits while all of it moves. Entries lie in chunks, so that those do not move, either. Most clients have a slot,
/// which is a bit in each entry; those beyond are listed by their numbers, which one that has gone leaves behind: they
/// go with the key's change, or when a longer list would have to be made.</remarks>
internal sealed unsafe class TrackedKeys : IDisposable
{
    private const int ChunkBits = 7;
    private const int ChunkLength = 1 << ChunkBits;
    private const int None = -1;
    private const int LeastCapacity = 4;
    private const long ChargeStep = 4096;

    // How many places are looked at for an entry to be given up.
    private const int VictimSteps = 64;

    private readonly MemoryBudget _budget;
    private MemoryCharge _charge;
    private Entry[][] _entries = [];
    private int[][] _heads = [];
    private int _entryChunks;
    private int _headChunks;
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

    /// <summary>Asks the processor to fetch the first entry of a key's chain.</summary>
    public void Prefetch(ulong hash)
    {
        var head = HeadOf(hash);
        if (Sse.IsSupported && head != None)
        {
            Sse.Prefetch0(Unsafe.AsPointer(ref At(head)));
        }
    }

    /// <summary>Whether a client is remembered to have read a key.</summary>
    public bool Has(ulong hash, TrackedClient client)
    {
        ref var entry = ref Find(hash);
        return !Unsafe.IsNullRef(ref entry) && entry.IsOf(client);
    }

    /// <summary>Remembers that a client has read a key.</summary>
    /// <param name="hash">The key's hash.</param>
    /// <param name="name">The key's name.</param>
    /// <param name="client">The client.</param>
    /// <param name="isThere">Whether a client, by its number, is still to be told.</param>
    /// <returns>False where there is no memory for it: nothing was changed.</returns>
    public bool TryAdd(ulong hash, ReadOnlySpan<byte> name, TrackedClient client, Func<long, bool> isThere)
    {
        ref var found = ref Find(hash);
        if (!Unsafe.IsNullRef(ref found))
        {
            return found.IsOf(client) || TryAddTo(ref found, client, isThere);
        }

        if (_budget.WouldPassEnd(name.Length + ChargeStep))
        {
            return false;
        }

        Filter.Set(hash);
        var place = TakePlace();
        ref var head = ref HeadOf(hash);
        ref var entry = ref At(place);
        entry = new Entry { Hash = hash, Next = head, NameLength = name.Length };
        if (name.Length > 0)
        {
            entry.Name = (byte*)NativeMemory.Alloc((nuint)name.Length);
            name.CopyTo(new Span<byte>(entry.Name, name.Length));
            Take(name.Length);
        }

        head = place;
        Count++;
        var isAdded = TryAddTo(ref entry, client, isThere);
        Grow();
        return isAdded;
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
        entry = new Entry { Next = _free, NameLength = Entry.Unused };
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
            if (entry.NameLength != Entry.Unused)
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

    /// <summary>Forgets what clients have read that have gone, in some of the entries.</summary>
    /// <param name="chunk">Which of <see cref="Chunks"/>.</param>
    /// <param name="slot">The clients' slot.</param>
    public void Forget(int chunk, int slot)
    {
        foreach (ref var entry in _entries[chunk].AsSpan())
        {
            Items -= (long)((entry.Slots >> slot) & 1);
            entry.Slots &= ~(1UL << slot);
        }
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

        if (chunk == Chunks - 1)
        {
            _charge.Set(0);
        }
    }

    /// <summary>Parts in which what it has is freed; the last one may be freed last only.</summary>
    public int Chunks => _entryChunks;

    /// <inheritdoc/>
    public void Dispose()
    {
        for (var i = 0; i < Chunks; i++)
        {
            FreeChunk(i);
        }

        _charge.Set(0);
    }

    private bool TryAddTo(ref Entry entry, TrackedClient client, Func<long, bool> isThere)
    {
        if (client.Slot != TrackedClient.NoSlot)
        {
            entry.Slots |= 1UL << client.Slot;
            Items++;
            return true;
        }

        var isFull = entry.Listed == entry.Capacity;
        Items -= isFull ? entry.RemoveAll(isThere) : 0;
        if (isFull && entry.Listed >= entry.Capacity / 2)
        {
            var capacity = Math.Max(LeastCapacity, entry.Capacity * 2);
            if (_budget.WouldPassEnd((long)capacity * sizeof(long)))
            {
                return false;
            }

            var before = entry.OwnBytes;
            entry.Extend(capacity);
            Take(entry.OwnBytes - before);
        }

        entry.Insert(client.Id);
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

    /// <summary>Finds a key's entry; a null reference where it has none.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private ref Entry Find(ulong hash)
    {
        for (var i = HeadOf(hash); i != None;)
        {
            ref var entry = ref At(i);
            if (entry.Hash == hash)
            {
                return ref entry;
            }

            i = entry.Next;
        }

        return ref Unsafe.NullRef<Entry>();
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private ref Entry At(int place) => ref _entries[place >> ChunkBits][place & (ChunkLength - 1)];

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private ref int HeadOf(ulong hash) => ref Head(BucketOf(hash));

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
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

        if (_used == _entryChunks * ChunkLength)
        {
            Append(ref _entries, ref _entryChunks, new Entry[ChunkLength]);
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
        if (added == _headChunks * ChunkLength)
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
        Append(ref _heads, ref _headChunks, heads);
        Take(ChunkLength * sizeof(int));
    }

    private static void Append<T>(ref T[][] chunks, ref int count, T[] chunk)
    {
        if (count == chunks.Length)
        {
            Array.Resize(ref chunks, Math.Max(LeastCapacity, count * 2));
        }

        chunks[count++] = chunk;
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
        /// <summary>The length of a free place's name.</summary>
        public const int Unused = -1;

        public ulong Hash;
        public byte* Name;

        // A bit for each slot whose client has read the key.
        public ulong Slots;

        // Numbers of clients that have no slot, in ascending order.
        public long* List;
        public int NameLength;
        public int Next;
        public int Listed;
        public int Capacity;

        /// <summary>Clients that have read the key.</summary>
        public readonly int Count => BitOperations.PopCount(Slots) + Listed;

        /// <summary>Memory that it has beside its place, bytes.</summary>
        public readonly long OwnBytes => Math.Max(0, NameLength) + ((long)Capacity * sizeof(long));

        /// <summary>The numbers of clients that have no slot.</summary>
        public readonly Span<long> Clients => new(List, Listed);

        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        public readonly bool IsOf(TrackedClient client)
            => client.Slot != TrackedClient.NoSlot
                ? ((Slots >> client.Slot) & 1) != 0
                : Clients.BinarySearch(client.Id) >= 0;

        /// <summary>Makes room in the list for so many clients.</summary>
        public void Extend(int capacity)
        {
            List = (long*)NativeMemory.Realloc(List, (nuint)capacity * sizeof(long));
            Capacity = capacity;
        }

        /// <summary>Lists a client that is not there, where there is room.</summary>
        public void Insert(long client)
        {
            var place = ~Clients.BinarySearch(client);
            Clients[place..].CopyTo(new Span<long>(List + place + 1, Listed - place));
            List[place] = client;
            Listed++;
        }

        /// <summary>Takes all listed clients out that are not there any more.</summary>
        /// <returns>How many.</returns>
        public int RemoveAll(Func<long, bool> isThere)
        {
            var kept = 0;
            foreach (var client in Clients)
            {
                if (isThere(client))
                {
                    List[kept++] = client;
                }
            }

            var removed = Listed - kept;
            Listed = kept;
            return removed;
        }
    }
}
