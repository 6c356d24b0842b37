using Strata.Storage.Changes;
using Strata.Storage.Index;
using Strata.Storage.Log;
using Strata.Storage.Memory;
using Strata.Storage.Records;

namespace Strata.Storage.Strings;

/// <summary>
/// A long string that no key has yet: its bytes are written in steps, into pages of the kernel's, and these become the
/// key's when all are. So until then nothing is changed, and the last step is short.
/// </summary>
public sealed unsafe class StringDraft : IDisposable
{
    private readonly RecordStore _store;
    private readonly MappedMemory _memory;
    private readonly int _phase;
    private readonly int _length;
    private MemoryCharge _charge;

    /// <summary>Takes memory for a string, which holds zeros.</summary>
    /// <param name="store">The shard of the key that it is for.</param>
    /// <param name="key">The key.</param>
    /// <param name="length">Bytes.</param>
    /// <param name="neededBytes">Bytes of the strings that its bytes are made of.</param>
    /// <exception cref="MemoryExhaustedException">Memory is at its end.</exception>
    public StringDraft(RecordStore store, in Key key, int length, long neededBytes)
    {
        store.Budget.AskForValue(length, neededBytes);
        _store = store;
        _length = length;
        _phase = RecordAlignment.ValuePhase(key.Length, store.Log.Device != null);
        _memory = MappedMemory.TryMap(_phase + (long)length)
            ?? throw new MemoryExhaustedException($"the system gave no {length} bytes of memory");
        _charge = new MemoryCharge(store.Budget);
        _charge.Set(_memory.Bytes);
    }

    /// <summary>The bytes.</summary>
    public Span<byte> Value => new(_memory.Start + _phase, _length);

    /// <summary>Makes the string a key's value, under the lease of its shard. It is not to be used any more.</summary>
    /// <param name="key">The key.</param>
    /// <param name="existing">Its record as just looked up, or a null one.</param>
    /// <param name="expiryMs">Milliseconds since 1970, or -1.</param>
    /// <param name="flags">What the record remembers of how the string came to be.</param>
    /// <param name="isNew">Whether it is told of as new.</param>
    /// <param name="change">What is told of it.</param>
    /// <exception cref="MemoryExhaustedException">The key was not changed.</exception>
    public void Put(
        in Key key, in Record existing, long expiryMs, RecordFlags flags, bool isNew, in Change change)
    {
        var spec = new RecordSpec(key, RecordType.String, expiryMs, flags);
        if (_length >= PageMove.LeastBytes)
        {
            spec = spec with { MovedFrom = _memory.Start + _phase };
        }

        _store.Changes.Before(key, existing);
        _charge.Set(0); // The key's from here on.
        var isCopied = existing.IsNull || existing.Type != RecordType.String || spec.MovedFrom == null;
        var record = isCopied
            ? _store.Write(key, existing, spec, _length)
            : _store.Replace(key, existing, spec, _length, capacity: 0); // What fits in place would be copied there.
        record.Fill(Value, spec.MovedFrom);
        _store.Changes.TellWhole(key, isNew, record, change);
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _charge.Set(0);
        _memory.Dispose();
    }
}
