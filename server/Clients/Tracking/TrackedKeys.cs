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
/// <remarks>A hash table with chains that grows by single buckets (linear hashing, Litwin, VLDB '80): no client waits
/// while all of it moves. Entries lie in chunks, so that those do not move, either, each in a cache line of its own.
/// Most clients have a slot, which is a bit in each entry; those beyond are listed by their numbers, which one that has
/// gone leaves behind: they go with the key's change, or when a longer list would have to be made.</remarks>
internal sealed unsafe class TrackedKeys : IDisposable
{
    private const int ChunkBits = 7;
    private const int ChunkLength = 1 << ChunkBits;
    private const int LeastCapacity = 4;

    // So that most chains have one entry, which is fetched ahead.
    private const int BucketsPerKey = 2;

    private const long ChargeStep = 4096;

    // How many places are looked at for an entry to be given up.
    private const int VictimSteps = 64;

    private readonly MemoryBudget _budget;
    private MemoryCharge _charge;
    private nint[] _entries = [];
    private nint[] _heads = [];
    private int _entryChunks;
    private int _headChunks;
    private long _bytes;
    private int _used;
    private Entry* _free;
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
        if (Sse.IsSupported)
        {
            Sse.Prefetch0(*HeadOf(hash)); // Nothing happens where it is null.
        }
    }

    /// <summary>Whether a client is remembered to have read a key.</summary>
    public bool Has(ulong hash, TrackedClient client)
    {
        var entry = Find(hash);
        return entry != null && entry->IsOf(client);
    }

    /// <summary>Remembers that a client has read a key.</summary>
    /// <param name="hash">The key's hash.</param>
    /// <param name="name">The key's name.</param>
    /// <param name="client">The client.</param>
    /// <param name="isThere">Whether a client, by its number, is still to be told.</param>
    /// <returns>False where there is no memory for it: nothing was changed.</returns>
    public bool TryAdd(ulong hash, ReadOnlySpan<byte> name, TrackedClient client, Func<long, bool> isThere)
    {
        var found = Find(hash);
        if (found != null)
        {
            return found->IsOf(client) || TryAddTo(found, client, isThere);
        }

        if (_budget.WouldPassEnd(SystemHeap.BytesFor(name.Length) + ChargeStep))
        {
            return false;
        }

        Filter.Set(hash);
        var entry = TakePlace();
        var copy = (byte*)NativeMemory.Alloc((nuint)name.Length); // If there is none, the place has no name to be told.
        name.CopyTo(new Span<byte>(copy, name.Length));
        Take(SystemHeap.BytesFor(name.Length));
        var head = HeadOf(hash);
        *entry = new Entry { Hash = hash, Next = *head, Name = copy, NameLength = name.Length };
        *head = entry;
        Count++;
        var isAdded = TryAddTo(entry, client, isThere);
        Grow();
        return isAdded;
    }

    /// <summary>Takes a key out.</summary>
    /// <returns>Whether it was there; then it must be disposed of.</returns>
    public bool TryTake(ulong hash, out TrackedKey key)
    {
        var link = HeadOf(hash);
        while (*link != null && (*link)->Hash != hash)
        {
            link = &(*link)->Next;
        }

        var entry = *link;
        if (entry == null)
        {
            key = default;
            return false;
        }

        *link = entry->Next;
        key = new TrackedKey(*entry);
        Take(-entry->OwnBytes);
        Items -= entry->Count;
        Count--;
        *entry = new Entry { Next = _free, NameLength = Entry.Unused };
        _free = entry;
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
            var entry = EntryAt(_victim);
            if (entry->NameLength != Entry.Unused)
            {
                hash = entry->Hash;
                name = new ReadOnlySpan<byte>(entry->Name, entry->NameLength);
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
        foreach (ref var entry in EntriesOf(chunk))
        {
            Items -= (long)((entry.Slots >> slot) & 1);
            entry.Slots &= ~(1UL << slot);
        }
    }

    /// <summary>Frees some of the entries, and with the last of them all the rest.</summary>
    /// <param name="chunk">Which of <see cref="Chunks"/>.</param>
    public void FreeChunk(int chunk)
    {
        foreach (ref var entry in EntriesOf(chunk))
        {
            new TrackedKey(entry).Dispose();
            Take(-entry.OwnBytes);
        }

        NativeMemory.AlignedFree((void*)_entries[chunk]);
        _entries[chunk] = 0;
        Take(-ChunkLength * sizeof(Entry));
        if (chunk == Chunks - 1)
        {
            FreeHeads();
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

        FreeHeads();
    }

    private bool TryAddTo(Entry* entry, TrackedClient client, Func<long, bool> isThere)
    {
        if (client.Slot != TrackedClient.NoSlot)
        {
            entry->Slots |= 1UL << client.Slot;
            Items++;
            return true;
        }

        var isFull = entry->Listed == entry->Capacity;
        Items -= isFull ? entry->RemoveAll(isThere) : 0;
        if (isFull && entry->Listed >= entry->Capacity / 2)
        {
            var capacity = Math.Max(LeastCapacity, entry->Capacity * 2);
            if (_budget.WouldPassEnd(SystemHeap.BytesFor((long)capacity * sizeof(long))))
            {
                return false;
            }

            var before = entry->OwnBytes;
            entry->Extend(capacity);
            Take(entry->OwnBytes - before);
        }

        entry->Insert(client.Id);
        Items++;
        return true;
    }

    /// <summary>Clears a bit of the filter if no other key has it: those that have are in the same chain.</summary>
    private void ClearFilter(ulong hash)
    {
        for (var entry = *HeadOf(hash); entry != null; entry = entry->Next)
        {
            if ((((int)entry->Hash ^ (int)hash) & Filter.Mask) == 0)
            {
                return;
            }
        }

        Filter.Clear(hash);
    }

    /// <summary>Finds a key's entry; null where it has none.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private Entry* Find(ulong hash)
    {
        var entry = *HeadOf(hash);
        while (entry != null && entry->Hash != hash)
        {
            entry = entry->Next;
        }

        return entry;
    }

    /// <summary>Some of the entries; none where those were freed.</summary>
    private Span<Entry> EntriesOf(int chunk) => new((void*)_entries[chunk], _entries[chunk] == 0 ? 0 : ChunkLength);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private Entry** HeadOf(ulong hash)
    {
        var bucket = (int)hash & _mask;
        return Head(bucket < _buckets ? bucket : bucket & (_mask >> 1));
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private Entry** Head(int bucket) => (Entry**)_heads[bucket >> ChunkBits] + (bucket & (ChunkLength - 1));

    private Entry* EntryAt(int place) => (Entry*)_entries[place >> ChunkBits] + (place & (ChunkLength - 1));

    private Entry* TakePlace()
    {
        if (_free != null)
        {
            var place = _free;
            _free = place->Next;
            return place;
        }

        if (_used == _entryChunks * ChunkLength)
        {
            AddEntries();
        }

        return EntryAt(_used++);
    }

    private void AddEntries()
    {
        Extend(ref _entries, _entryChunks);
        var chunk = NativeMemory.AlignedAlloc((nuint)(ChunkLength * sizeof(Entry)), (nuint)sizeof(Entry));
        new Span<Entry>(chunk, ChunkLength).Clear();
        _entries[_entryChunks++] = (nint)chunk;
        Take(ChunkLength * sizeof(Entry));
    }

    /// <summary>Adds buckets where there are too few for the keys: to each of them some keys of another one go. No
    /// bucket has keys that a bit of the filter, and so another bucket's keys, could not be told from.</summary>
    private void Grow()
    {
        while ((long)Count * BucketsPerKey > _buckets && _buckets <= Filter.Mask)
        {
            AddBucket();
        }
    }

    private void AddBucket()
    {
        var added = _buckets;
        if (added == _headChunks * ChunkLength)
        {
            AddHeads();
        }

        _mask = added > _mask ? (_mask * 2) + 1 : _mask;
        var link = Head(added & (_mask >> 1));
        _buckets++;
        var target = Head(added);
        while (*link != null)
        {
            var entry = *link;
            if (((int)entry->Hash & _mask) == added)
            {
                *link = entry->Next;
                entry->Next = *target;
                *target = entry;
            }
            else
            {
                link = &entry->Next;
            }
        }
    }

    private void AddHeads()
    {
        Extend(ref _heads, _headChunks);
        _heads[_headChunks++] = (nint)NativeMemory.AllocZeroed(ChunkLength, (nuint)sizeof(Entry*));
        Take(ChunkLength * sizeof(Entry*));
    }

    private void FreeHeads()
    {
        for (; _headChunks > 0; _headChunks--)
        {
            NativeMemory.Free((void*)_heads[_headChunks - 1]);
        }

        _charge.Set(0);
    }

    private static void Extend(ref nint[] chunks, int count)
    {
        if (count == chunks.Length)
        {
            Array.Resize(ref chunks, Math.Max(LeastCapacity, count * 2));
        }
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
    [StructLayout(LayoutKind.Sequential, Size = 64)]
    internal struct Entry
    {
        /// <summary>The length of a free place's name.</summary>
        public const int Unused = -1;

        public ulong Hash;

        // A bit for each slot whose client has read the key.
        public ulong Slots;
        public Entry* Next;
        public byte* Name;

        // Numbers of clients that have no slot, in ascending order.
        public long* List;
        public int NameLength;
        public int Listed;
        public int Capacity;

        /// <summary>Clients that have read the key.</summary>
        public readonly int Count => BitOperations.PopCount(Slots) + Listed;

        /// <summary>Memory that it has beside its place, bytes.</summary>
        public readonly long OwnBytes
            => (Name == null ? 0 : SystemHeap.BytesFor(NameLength))
                + (Capacity == 0 ? 0 : SystemHeap.BytesFor((long)Capacity * sizeof(long)));

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
