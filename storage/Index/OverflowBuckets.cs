using System.Numerics;
using System.Runtime.CompilerServices;
using Strata.Storage.Memory;

namespace Strata.Storage.Index;

/// <summary>The buckets that chains go on with, by number; 0 is "none". The lowest free one is handed out first, and a
/// page of the processor in which none is used goes back to the system, so that what a large table needed does not
/// stay when it has become small. A bucket that is handed out is empty.</summary>
internal sealed unsafe class OverflowBuckets : IDisposable
{
    // A word of the map stands for one page of the processor.
    private const int PerWord = 64;
    private const int PageBytes = PerWord * HashIndex.BucketBytes;

    private readonly ReservedRegion _region;
    private readonly byte* _base;
    private readonly uint _limit;
    private ulong[] _used = new ulong[16];
    private int _firstFree;
    private int _pages = 1;

    public OverflowBuckets(long reserveBytes)
    {
        _region = new ReservedRegion(reserveBytes);
        _base = _region.Base;
        _limit = (uint)Math.Min(reserveBytes / HashIndex.BucketBytes, uint.MaxValue);
        _used[0] = 1; // "None", and what keeps the first page.
    }

    /// <summary>Buckets handed out.</summary>
    public uint Count { get; private set; }

    /// <summary>Memory in use.</summary>
    public long SizeBytes => (long)_pages * PageBytes;

    /// <summary>A bucket, or null for a number that cannot be one.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ulong* At(ulong number)
        => number == 0 || number >= _limit ? null : (ulong*)(_base + (long)number * HashIndex.BucketBytes);

    /// <summary>Hands out an empty bucket.</summary>
    public ulong Rent()
    {
        while (_firstFree < _used.Length && _used[_firstFree] == ulong.MaxValue)
        {
            _firstFree++;
        }

        if (_firstFree == _used.Length)
        {
            Array.Resize(ref _used, _used.Length * 2);
        }

        ref var word = ref _used[_firstFree];
        var bit = BitOperations.TrailingZeroCount(~word);
        var number = ((ulong)_firstFree * PerWord) + (ulong)bit;
        Invariant.Check(number < _limit, "overflow buckets stay within their reserve");
        _pages += word == 0 ? 1 : 0;
        word |= 1UL << bit;
        Count++;
        return number;
    }

    /// <summary>Takes back a bucket, which must be empty.</summary>
    public void Return(ulong number)
    {
        var index = (int)(number / PerWord);
        ref var word = ref _used[index];
        word &= ~(1UL << (int)(number % PerWord));
        Count--;
        _firstFree = Math.Min(_firstFree, index);
        if (word == 0)
        {
            _pages--;
            _region.Release((long)index * PageBytes, PageBytes);
        }
    }

    /// <summary>Takes back all buckets, and empties them.</summary>
    public void Clear()
    {
        for (var index = 0; index < _used.Length; index++)
        {
            if (_used[index] != 0)
            {
                _region.Release((long)index * PageBytes, PageBytes);
            }
        }

        Array.Clear(_used);
        _used[0] = 1;
        _firstFree = 0;
        _pages = 1;
        Count = 0;
    }

    /// <inheritdoc/>
    public void Dispose() => _region.Dispose();
}
