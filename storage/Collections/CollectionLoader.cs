using Strata.Storage.Changes;
using Strata.Storage.Index;
using Strata.Storage.Log;
using Strata.Storage.Memory;

namespace Strata.Storage.Collections;

/// <summary>
/// Makes a collection of elements that come one by one, as from a file or a payload, perhaps in many steps; no key has
/// it before all of them are there. As long as it is small it is packed in memory of its own; then it is large, in the
/// heap of the shard it is for. What begins it, what adds elements, <see cref="Put"/> and <see cref="Abandon"/> are
/// called under that shard's lease, which may be given back between them. Can be used again.
/// </summary>
public abstract unsafe class CollectionLoader
{
    /// <summary>Elements up to which one is looked for among all; more are in a table until all are there.</summary>
    private protected const int MostPacked = 512;

    private const int MostPackedBytes = 64 << 10;
    private const int FirstRoom = 1024;

    // Bytes of elements after which is asked whether there is memory for more.
    private const int AskEvery = 256 << 10;

    private readonly RecordType _type;
    private readonly BufferPool _buffers;
    private NativeBlock _block;
    private MemoryCharge _charge;
    private long _unaskedBytes;
    private long _clears;

    /// <summary>A loader that has nothing to load yet.</summary>
    private protected CollectionLoader(RecordType type, MemoryBudget budget)
    {
        _type = type;
        _buffers = budget.Buffers;
        _charge = new MemoryCharge(budget);
    }

    /// <summary>Elements by now.</summary>
    public long Count => Root == null ? PackedCount : Form.CountOf(Root);

    /// <summary>Whether the shard was emptied since the collection was begun, and what there was of it with that: it
    /// is to be abandoned.</summary>
    public bool IsLost => Root != null && _clears != Store.Collections.Clears;

    /// <summary>Whether a collection without elements is a value, too.</summary>
    public virtual bool MayBeEmpty => false;

    /// <summary>Whether the collection is not packed however small, as Redis keeps the form of what it copies.
    /// </summary>
    internal bool StaysLarge { get; set; }

    /// <summary>Bytes in front of the first element of a packed collection.</summary>
    private protected virtual int HeaderBytes => PackedForm.HeaderBytes;

    /// <summary>The shard that the collection is for.</summary>
    private protected CollectionStore Store { get; private set; } = null!;

    /// <summary>The collection, if it is large.</summary>
    private protected byte* Root { get; private set; }

    /// <summary>Bytes of the collection, if it is packed.</summary>
    private protected int PackedBytes { get; set; }

    /// <summary>Elements of the collection, if it is packed.</summary>
    private protected int PackedCount { get; set; }

    /// <summary>The packed collection; its header is not written yet.</summary>
    private protected Span<byte> Packed => new(_block.Start, PackedBytes);

    private protected byte* PackedStart => _block.Start;

    private protected SlabHeap Heap => Store.Collections.Heap;

    private ILargeForm Form => TypeInfo.Of(_type).Large;

    /// <summary>Begins with an empty collection for a shard.</summary>
    private protected void Begin(CollectionStore store)
    {
        Invariant.Check(Root == null, "one collection after the other");
        Store = store;
        PackedCount = 0;
        PackedBytes = 0;
        _unaskedBytes = 0;
        _ = Extend(HeaderBytes);
    }

    /// <summary>Makes the collection, which has elements, a key's value; whatever the key was before is gone, and it is
    /// told of as new.</summary>
    /// <param name="key">A key of the shard.</param>
    /// <param name="existing">Its record as just looked up, or a null one.</param>
    /// <param name="expiryMs">Milliseconds since 1970, or -1.</param>
    /// <param name="change">What is told of it.</param>
    /// <exception cref="MemoryExhaustedException">The key was not changed; the collection is to be abandoned.
    /// </exception>
    public Record Put(in Key key, in Record existing, long expiryMs, in Change change)
    {
        Store.Changes.Before(key, existing);
        var record = Write(key, existing, expiryMs);
        Store.Changes.TellWhole(key, wasMissing: true, record, change);
        return record;
    }

    /// <summary>Makes the collection, which has elements, a key's value; it is told of as new only if the key was not
    /// there.</summary>
    /// <inheritdoc cref="Put"/>
    public void Overwrite(in Key key, in Record existing, in Change change)
    {
        Store.Changes.Before(key, existing);
        Store.Changes.TellWhole(key, existing.IsNull, Write(key, existing, expiryMs: -1), change);
    }

    /// <summary>Makes the collection, in its large form, what a key's large one is from here on; the key keeps its time
    /// to live, and goes where there are no elements.</summary>
    /// <param name="key">A key of the shard.</param>
    /// <param name="existing">Its record as just looked up.</param>
    /// <param name="change">What is told of it.</param>
    /// <exception cref="MemoryExhaustedException">The key was not changed; the collection is to be abandoned.
    /// </exception>
    public void Exchange(in Key key, in Record existing, in Change change)
    {
        var record = default(Record);
        if (Count > 0 && Root == null)
        {
            MakeLarge();
        }

        Store.Changes.Before(key, existing);
        if (Root == null)
        {
            Store.Drop(key, existing);
        }
        else
        {
            OnExchange(existing);
            record = Store.Collections.WriteLarge(key, existing, _type, existing.ExpiryMs, Root);
            Root = null;
        }

        Store.Changes.TellWhole(key, wasMissing: false, record, change);
    }

    /// <summary>Gives the collection up that was begun, if one was.</summary>
    public void Abandon()
    {
        if (Root != null && !IsLost)
        {
            _ = Store.Collections.Doom(_type, Root);
        }

        Root = null;
        PackedCount = 0;
    }

    /// <summary>Gives memory back that is kept for the next collection; who needs no more of them must.</summary>
    public virtual void Free() => _buffers.Free(ref _block, ref _charge);

    /// <summary>Whether the collection, which became large on the way, or a packed one of so many bytes, is to be
    /// packed.</summary>
    private protected abstract bool FitsPacked(long packedBytes);

    /// <summary>Writes what stands in front of the packed elements.</summary>
    private protected virtual void WriteHeader() => PackedForm.SetCount(Packed, PackedCount);

    /// <summary>Looks over a collection that was packed into its record.</summary>
    private protected virtual void OnPacked(in Record record)
    {
    }

    /// <summary>The large collection becomes a key's.</summary>
    private protected virtual void OnLarge()
    {
    }

    /// <summary>The large collection takes the place of another one.</summary>
    private protected virtual void OnExchange(in Record large)
    {
    }

    /// <summary>Writes a large collection packed.</summary>
    private protected virtual Record WritePacked(in Key key, in Record existing, in RecordSpec spec)
    {
        var record = Store.Write(key, existing, spec, (int)Form.PackedBytesOf(Root));
        Form.Pack(Root, record.MutableValue);
        return record;
    }

    /// <summary>Whether a packed collection may have one more element of so many bytes.</summary>
    private protected bool HasRoom(long bytes)
        => PackedCount < MostPacked && PackedBytes + bytes <= MostPackedBytes;

    /// <summary>Counts the bytes of an element that is about to be added.</summary>
    /// <exception cref="NoRoomException">Memory is at its end.</exception>
    private protected void Ask(long bytes)
    {
        _unaskedBytes += bytes;
        if (_unaskedBytes > AskEvery)
        {
            Store.Budget.AskForValue(_unaskedBytes, neededBytes: 0);
            _unaskedBytes = 0;
        }
    }

    /// <summary>Adds room to the packed collection.</summary>
    private protected Span<byte> Extend(int bytes)
    {
        var start = PackedBytes;
        var needed = start + bytes;
        if (needed > _block.Bytes)
        {
            try
            {
                _buffers.Resize(ref _block, ref _charge, BufferGrowth.Next(_block.Bytes, needed));
            }
            catch (OutOfMemoryException exception)
            {
                throw new MemoryExhaustedException($"the system gave no {needed} bytes of memory", exception);
            }
        }

        PackedBytes = needed;
        return new Span<byte>(_block.Start + start, bytes);
    }

    /// <summary>Makes the packed collection a large one.</summary>
    /// <exception cref="MemoryExhaustedException">It is still packed.</exception>
    private protected virtual void MakeLarge()
    {
        _clears = Store.Collections.Clears;
        var root = Form.Create(Heap, FirstRoom);
        try
        {
            WriteHeader();
            if (PackedCount > 0)
            {
                var cursor = default(PackingCursor);
                Form.UnpackSome(Heap, root, Packed, ref cursor, int.MaxValue);
            }
        }
        catch (MemoryExhaustedException)
        {
            _ = Store.Collections.Doom(_type, root);
            throw;
        }

        Root = root;
    }

    /// <summary>Likewise, without telling of it, which is the caller's.</summary>
    /// <inheritdoc cref="Put"/>
    internal Record Write(in Key key, in Record existing, long expiryMs)
    {
        Invariant.Check(Count > 0 || MayBeEmpty, "an empty collection is no value");
        var spec = new RecordSpec(key, _type, expiryMs);
        Record record;
        if (Root == null && StaysLarge && Count > 0)
        {
            MakeLarge();
        }

        if (Root == null)
        {
            WriteHeader();
            record = Store.Write(key, existing, spec, PackedBytes);
            Packed.CopyTo(record.MutableValue);
            OnPacked(record);
            PackedCount = 0;
            return record;
        }

        if (!StaysLarge && FitsPacked(Form.PackedBytesOf(Root)))
        {
            record = WritePacked(key, existing, spec);
            OnPacked(record);
            Abandon();
            return record;
        }

        OnLarge();
        record = Store.Collections.WriteLarge(key, existing, _type, expiryMs, Root);
        Root = null;
        return record;
    }
}
