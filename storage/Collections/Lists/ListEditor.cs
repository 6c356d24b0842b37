using Strata.Storage.Changes;
using Strata.Storage.Index;
using Strata.Storage.Log;
using Strata.Storage.Memory;

namespace Strata.Storage.Collections.Lists;

/// <summary>
/// Changes the list of a key that was just looked up, under the lease of its shard, and makes a packed one large when
/// it is too long to be shifted on every push. With its last element the key goes.
/// Every member throws <see cref="MemoryExhaustedException"/> only before it changed anything.
/// </summary>
public unsafe ref struct ListEditor
{
    /// <summary>The longest packed value: an element pushed at its head moves all of it.</summary>
    public const int MaxPackedBytes = 512;

    private readonly CollectionStore _store;
    private readonly Key _key;
    private readonly ListpackLimit _limit;
    private readonly bool _wasMissing;
    private Record _record;
    private ListRoot* _root;

    /// <summary>An editor of <paramref name="record"/>, a list, neither missing nor frozen.</summary>
    public ListEditor(CollectionStore store, scoped in Key key, scoped in Record record, ListpackLimit limit)
        : this(store, key, record, limit, wasMissing: false)
    {
        store.Changes.Before(key, record);
    }

    private ListEditor(
        CollectionStore store, scoped in Key key, scoped in Record record, ListpackLimit limit, bool wasMissing)
    {
        _wasMissing = wasMissing;
        _store = store;
        _key = key;
        _limit = limit;
        _record = record;
        _root = record.IsLarge ? (ListRoot*)ShardCollections.RootOf(record) : null;
    }

    /// <summary>The list as it is now.</summary>
    public readonly ListReader Reader => new(_record);

    /// <summary>Elements.</summary>
    public readonly long Count => _root != null ? _root->Count
        : IsGone ? 0
        : PackedForm.CountOf(_record.Value);

    /// <summary>Whether the last element was removed, and with it the key.</summary>
    public bool IsGone { get; private set; }

    private readonly SlabHeap Heap => _store.Collections.Heap;

    /// <summary>Makes a list of one element the key's value.</summary>
    /// <param name="store">The key's shard.</param>
    /// <param name="key">The key.</param>
    /// <param name="existing">Its record as just looked up, or a null one.</param>
    /// <param name="element">The element; it must not lie in <paramref name="existing"/>.</param>
    /// <param name="limit">From where on the list is a quicklist.</param>
    public static ListEditor Create(
        CollectionStore store,
        scoped in Key key,
        scoped in Record existing,
        scoped ReadOnlySpan<byte> element,
        ListpackLimit limit)
    {
        store.Changes.Before(key, existing);
        var size = ListEntry.SizeOf(element.Length);
        if (PackedForm.HeaderBytes + size > MaxPackedBytes)
        {
            return CreateLarge(store, key, existing, element, limit);
        }

        var spec = new RecordSpec(key, RecordType.List, expiryMs: -1);
        var record = store.Write(key, existing, spec, PackedForm.HeaderBytes + size);
        PackedForm.SetCount(record.MutableValue, 1);
        ListEntry.Write(record.KeyPointer + record.KeyLength + PackedForm.HeaderBytes, element);
        return new ListEditor(store, key, record, limit, existing.IsNull);
    }

    /// <summary>Adds an element at an end. It may not lie in this list.</summary>
    public void Push(scoped ReadOnlySpan<byte> element, ListEnd end)
    {
        var size = ListEntry.SizeOf(element.Length);
        if (_root == null && StaysPacked(size))
        {
            var length = _record.ValueLength;
            InsertPacked(end == ListEnd.Head ? PackedForm.HeaderBytes : length, element, size);
            return;
        }

        MakeLarge();
        var exceeds = Exceeds(element.Length);
        BlockList.Push(Heap, _root, element, end);
        _root->IsQuicklist |= exceeds;
    }

    /// <summary>Removes the element at an end.</summary>
    public void Pop(ListEnd end)
    {
        if (Count == 1)
        {
            RemoveKey();
        }
        else if (_root != null)
        {
            BlockList.Pop(Heap, _root, end);
            NoteShrunk();
        }
        else
        {
            var cursor = Reader.AtEnd(end);
            RemovePacked(cursor.Offset, ListEntry.SizeOf(cursor.Current.Length), 1);
        }
    }

    /// <summary>Removes as many elements at an end, no more than there are.</summary>
    public void Trim(long count, ListEnd end)
    {
        if (count == Count)
        {
            RemoveKey();
        }
        else if (_root != null)
        {
            BlockList.Trim(Heap, _root, count, end);
            NoteShrunk();
        }
        else
        {
            var cut = Reader.At(end == ListEnd.Head ? count : Count - count).Offset;
            var length = _record.ValueLength - PackedForm.HeaderBytes;
            RemovePacked(
                end == ListEnd.Head ? 0 : cut, end == ListEnd.Head ? cut : length - cut, (int)count);
        }
    }

    /// <summary>Moves the element at one end to the other.</summary>
    public void Rotate(ListEnd from)
    {
        if (Count == 1)
        {
            return;
        }

        var to = from == ListEnd.Head ? ListEnd.Tail : ListEnd.Head;
        var element = Reader.AtEnd(from).Current;
        if (element.Length <= MaxPackedBytes)
        {
            Span<byte> copy = stackalloc byte[MaxPackedBytes];
            element.CopyTo(copy);
            Push(copy[..element.Length], to);
        }
        else
        {
            using var copy = new NativeSpan(element.Length);
            element.CopyTo(copy.Span);
            Push(copy.Span, to);
        }

        Pop(from);
    }

    /// <summary>Adds an element before the cursor, which is at it then. It may not lie in this list.</summary>
    public void Insert(ref ListCursor cursor, scoped ReadOnlySpan<byte> element)
    {
        var size = ListEntry.SizeOf(element.Length);
        if (_root == null && StaysPacked(size))
        {
            var offset = cursor.Offset;
            InsertPacked(PackedForm.HeaderBytes + offset, element, size);
            cursor = new ListCursor(_record, offset);
            return;
        }

        var exceeds = MakeLarge(ref cursor, element.Length);
        var position = cursor.Position;
        BlockList.Insert(Heap, _root, ref position, element);
        _root->IsQuicklist |= exceeds;
        cursor = new ListCursor(position);
    }

    /// <summary>Removes the element at the cursor, which is at the next one then, or behind the last one.</summary>
    public void Remove(ref ListCursor cursor)
    {
        if (Count == 1)
        {
            RemoveKey();
            cursor = default;
        }
        else if (_root == null)
        {
            var offset = cursor.Offset;
            RemovePacked(offset, ListEntry.SizeOf(cursor.Current.Length), 1);
            cursor = new ListCursor(_record, offset);
        }
        else
        {
            var position = cursor.Position;
            BlockList.Remove(Heap, _root, ref position);
            NoteShrunk();
            cursor = new ListCursor(position);
        }
    }

    /// <summary>Puts another element in the place of the one at the cursor.</summary>
    public void Replace(ref ListCursor cursor, scoped ReadOnlySpan<byte> element)
    {
        Insert(ref cursor, element);
        var next = cursor;
        next.MoveNext();
        Remove(ref next);
    }

    /// <summary>Tells what was done; there is more to be told of it.</summary>
    public readonly void Tell(in Change change) => _store.Changes.Tell(_key, IsGone ? default : _record, change);

    /// <summary>Tells what was done, and if so that the key is new, or is gone.</summary>
    public readonly void End(in Change change)
        => _store.Changes.TellWhole(_key, _wasMissing, IsGone ? default : _record, change);

    private static ListEditor CreateLarge(
        CollectionStore store,
        scoped in Key key,
        scoped in Record existing,
        scoped ReadOnlySpan<byte> element,
        ListpackLimit limit)
    {
        var heap = store.Collections.Heap;
        var root = BlockList.Create(heap);
        try
        {
            root->IsQuicklist = limit.IsExceededBy(ListpackSize.FrameBytes + element.Length, 1);
            BlockList.Push(heap, root, element, ListEnd.Tail);
            var record = store.Collections.WriteLarge(key, existing, RecordType.List, expiryMs: -1, (byte*)root);
            return new ListEditor(store, key, record, limit, existing.IsNull);
        }
        catch (MemoryExhaustedException)
        {
            ListForm.Instance.Free(heap, (byte*)root);
            throw;
        }
    }

    private readonly bool Exceeds(int length)
        => _limit.IsExceededBy(_root->ListpackBytes + ListpackSize.FrameBytes + length, _root->Count + 1);

    private readonly bool StaysPacked(int size)
        => _record.ValueLength + size <= MaxPackedBytes && _limit.AllowsCount(Count + 1);

    private readonly void NoteShrunk()
    {
        if (_root->IsQuicklist
            && _limit.HasHalfLeft(_root->ListpackBytes + ListpackSize.FrameBytes, _root->Count))
        {
            _root->IsQuicklist = false;
        }
    }

    private void RemoveKey()
    {
        _store.Drop(_key, _record);
        _root = null;
        IsGone = true;
    }

    private void InsertPacked(int offset, scoped ReadOnlySpan<byte> element, int size)
    {
        _record = _store.Collections.Splice(_key, _record, offset, removed: 0, size);
        var value = _record.KeyPointer + _record.KeyLength;
        ListEntry.Write(value + offset, element);
        PackedForm.SetCount(_record.MutableValue, PackedForm.CountOf(_record.Value) + 1);
    }

    private void RemovePacked(int offset, int size, int count)
    {
        _record = _store.Collections.Splice(_key, _record, PackedForm.HeaderBytes + offset, size, inserted: 0);
        PackedForm.SetCount(_record.MutableValue, PackedForm.CountOf(_record.Value) - count);
    }

    private bool MakeLarge(ref ListCursor cursor, int addedLength)
    {
        if (_root == null)
        {
            var index = 0;
            while (cursor.TryMovePrevious())
            {
                index++;
            }

            MakeLarge();
            cursor = Reader.At(index);
        }

        return Exceeds(addedLength);
    }

    private void MakeLarge()
    {
        if (_root != null)
        {
            return;
        }

        _record = _store.Collections.Thaw(_key, _record);
        _root = (ListRoot*)ShardCollections.RootOf(_record);
    }
}
