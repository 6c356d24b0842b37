using System.Runtime.CompilerServices;
using Strata.Storage.Index;

namespace Strata.Storage.Collections;

/// <summary>The elements of one bucket of an <see cref="ElementTable"/>, which must not change meanwhile.</summary>
public unsafe struct ElementChain
{
    private ulong* _bucket;
    private int _slot;

    internal ElementChain(ulong* bucket)
    {
        _bucket = bucket;
    }

    /// <summary>Gives the next element's block.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryNext(out byte* block)
    {
        var found = TryNextEntry(out var entry);
        block = ElementTable.BlockOf(entry);
        return found;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal bool TryNextEntry(out ulong entry)
    {
        if (_slot == LinearHashing.EntriesPerBucket)
        {
            _bucket = ElementTable.Next(_bucket);
            _slot = 0;
        }

        entry = _bucket == null ? 0 : _bucket[_slot++];
        return entry != 0;
    }
}
