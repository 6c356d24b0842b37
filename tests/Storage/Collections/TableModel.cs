using System.Runtime.InteropServices;
using Strata.Storage.Collections;
using Strata.Storage.Index;
using Strata.Storage.Memory;

namespace Strata.Tests.Storage.Collections;

/// <summary>A table of elements that are numbers (8 bytes key, 8 bytes mark), and a dictionary of the same.</summary>
internal sealed unsafe class TableModel : IDisposable
{
    private const int BlockBytes = 16;

    private readonly TestHeap _heap = new();
    private readonly ElementTable* _table = (ElementTable*)NativeMemory.Alloc((nuint)sizeof(ElementTable));
    private readonly Dictionary<long, long> _marks = [];

    public TableModel(long expected = 0)
    {
        ElementTable.Initialize(_table, _heap.Heap, expected);
    }

    public ElementTable* Table => _table;

    public SlabHeap Heap => _heap.Heap;

    public IReadOnlyDictionary<long, long> Marks => _marks;

    public static long KeyOf(byte* block) => *(long*)block;

    public bool Set(long key, long mark)
    {
        var hash = HashOf(key);
        var block = Heap.Allocate(BlockBytes);
        *(long*)block = key;
        *(long*)(block + 8) = mark;
        var existing = _table->Find<NumberKey>(hash, Bytes(key));
        if (existing != null)
        {
            _table->Replace(hash, existing, block);
            Heap.Free(existing, BlockBytes);
        }
        else
        {
            _table->Insert<NumberKey>(Heap, hash, block);
        }

        var isNew = !_marks.ContainsKey(key);
        _marks[key] = mark;
        return isNew == (existing == null);
    }

    public bool Remove(long key)
    {
        var block = _table->Remove<NumberKey>(Heap, HashOf(key), Bytes(key));
        if (block != null)
        {
            Heap.Free(block, BlockBytes);
        }

        return _marks.Remove(key) == (block != null);
    }

    public bool Agrees(long key)
    {
        var block = _table->Find<NumberKey>(HashOf(key), Bytes(key));
        return _marks.TryGetValue(key, out var mark)
            ? block != null && KeyOf(block) == key && *(long*)(block + 8) == mark
            : block == null;
    }

    /// <summary>Whether the walk meets exactly the dictionary's elements, each once.</summary>
    public bool AgreesWholly()
    {
        var seen = new HashSet<long>();
        for (var walk = ElementTable.Walk(_table); walk.TryNext(out var block);)
        {
            if (!seen.Add(KeyOf(block)) || !Agrees(KeyOf(block)))
            {
                return false;
            }
        }

        return seen.Count == _marks.Count && _table->Count == _marks.Count
            && Heap.UsedBytes == _table->SizeBytes + (seen.Count * BlockBytes);
    }

    /// <summary>Frees everything, one element a time.</summary>
    /// <returns>Bytes that were left.</returns>
    public long Free()
    {
        while (_table->TryTake(Heap, out var block))
        {
            Heap.Free(block, BlockBytes);
        }

        return Heap.UsedBytes;
    }

    public void Dispose()
    {
        NativeMemory.Free(_table);
        _heap.Dispose();
    }

    private static ReadOnlySpan<byte> Bytes(in long key) => MemoryMarshal.AsBytes(new ReadOnlySpan<long>(in key));

    private static ulong HashOf(long key) => KeyHash.Compute(Bytes(key));

    private readonly struct NumberKey : IElementKey
    {
        public static ReadOnlySpan<byte> KeyOf(byte* block) => new(block, sizeof(long));
    }
}
