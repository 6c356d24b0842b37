using Strata.Storage.Index;
using Strata.Storage.Log;
using Strata.Storage.Memory;

namespace Strata.Storage.Collections.Hashes;

/// <summary>Makes a hash of fields that come one by one.</summary>
public sealed unsafe class HashLoader : CollectionLoader
{
    private HashLimits _limits;
    private bool _areAllSmall;

    /// <inheritdoc cref="CollectionLoader(RecordType, MemoryBudget)"/>
    public HashLoader(MemoryBudget budget)
        : base(RecordType.Hash, budget)
    {
    }

    /// <summary>Begins with an empty hash for a shard.</summary>
    public void Begin(CollectionStore store, in HashLimits limits)
    {
        Begin(store);
        _limits = limits;
        _areAllSmall = true;
    }

    /// <summary>Adds a field.</summary>
    /// <param name="field">The field.</param>
    /// <param name="value">Its value.</param>
    /// <param name="expiryMs">When it expires, milliseconds since 1970; -1 for never.</param>
    /// <returns>False when it was there.</returns>
    /// <exception cref="MemoryExhaustedException">The hash is to be abandoned.</exception>
    public bool Add(ReadOnlySpan<byte> field, ReadOnlySpan<byte> value, long expiryMs)
    {
        var bytes = (long)PackedForm.SizeOf(field.Length) + PackedForm.SizeOf(value.Length);
        Ask(bytes);
        _areAllSmall &= _limits.Allow(field, value);
        if (Root == null)
        {
            if (expiryMs < 0 && _areAllSmall && PackedCount < _limits.MaxEntries && HasRoom(bytes))
            {
                return AddPacked(field, value);
            }

            MakeLarge();
        }

        var hash = KeyHash.Compute(field);
        var root = (HashRoot*)Root;
        if (root->Table.Find<HashField>(hash, field) != null)
        {
            return false;
        }

        root->Add(Heap, hash, field, value, expiryMs);
        return true;
    }

    /// <inheritdoc/>
    private protected override bool FitsPacked(long packedBytes)
        => ((HashRoot*)Root)->Expiries.Count == 0 && IsSmall && packedBytes <= Limits.MaxValueBytes;

    /// <inheritdoc/>
    private protected override void OnLarge() => ((HashRoot*)Root)->FitsPacked = IsSmall;

    /// <inheritdoc/>
    private protected override void OnExchange(in Record large)
        => ((HashRoot*)Root)->FitsPacked = ((HashRoot*)ShardCollections.RootOf(large))->FitsPacked;

    private bool IsSmall => _areAllSmall && Count <= _limits.MaxEntries;

    private bool AddPacked(ReadOnlySpan<byte> field, ReadOnlySpan<byte> value)
    {
        PackedForm.SetCount(Packed, PackedCount);
        if (PackedHash.TryFind(Packed, field, out _, out _))
        {
            return false;
        }

        _ = PackedForm.Write(Extend(PackedForm.SizeOf(field.Length)), field);
        _ = PackedForm.Write(Extend(PackedForm.SizeOf(value.Length)), value);
        PackedCount++;
        return true;
    }
}
