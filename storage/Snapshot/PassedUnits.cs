using System.Numerics;
using Strata.Storage.Index;
using Strata.Storage.Memory;

namespace Strata.Storage.Snapshot;

/// <summary>
/// Which part of an index a snapshot has passed. A unit is all hashes with the same low bits: as many as chose among
/// the buckets at the snapshot's moment, so that about one bucket's keys are one. Whatever is split or merged since, a
/// hash stays in its unit, and an entry tells by its bucket and tag which that is. When a key of a unit that is not
/// passed is about to change, all of the unit is saved first: so one bit a unit is all there is to remember of keys
/// that changed, came or went.
/// </summary>
internal sealed class PassedUnits
{
    private readonly HashIndex _index;
    private readonly ulong[] _passed;
    private MemoryCharge _charge;

    /// <summary>None is passed.</summary>
    public PassedUnits(HashIndex index, MemoryBudget budget)
    {
        _index = index;
        Count = BitOperations.RoundUpToPowerOf2(index.BucketCount);
        _passed = new ulong[(Count + 63) / 64];
        _charge = new MemoryCharge(budget);
        _charge.Set(_passed.Length * sizeof(ulong));
    }

    /// <summary>How many there are, a power of two.</summary>
    public uint Count { get; }

    /// <summary>The unit of a hash.</summary>
    public uint Of(ulong hash) => (uint)hash & (Count - 1);

    /// <summary>Whether a unit is passed.</summary>
    public bool IsPassed(uint unit) => (_passed[unit >> 6] & (1UL << (int)(unit & 63))) != 0;

    /// <summary>A unit's keys are about to be saved.</summary>
    public void Pass(uint unit) => _passed[unit >> 6] |= 1UL << (int)(unit & 63);

    /// <summary>Asks the processor to fetch the first bucket of a unit.</summary>
    public void Prefetch(uint unit)
    {
        if (unit < Count)
        {
            _index.Prefetch(unit);
        }
    }

    /// <summary>The first of the buckets that a unit's entries stand in, among others.</summary>
    public uint FirstBucket(uint unit) => _index.BucketOf(unit);

    /// <summary>The next of them.</summary>
    /// <returns>False when there is none.</returns>
    public bool TryNextBucket(uint unit, ref uint bucket)
    {
        if (unit >= _index.BucketCount || (ulong)bucket + Count >= _index.BucketCount)
        {
            return false;
        }

        bucket += Count;
        return true;
    }

    /// <summary>Whether an entry of a bucket is of a unit.</summary>
    public bool Has(uint unit, ulong entry, uint bucket) => Of(IndexEntry.BucketHash(entry, bucket)) == unit;

    /// <summary>It is needed no more.</summary>
    public void Free() => _charge.Set(0);
}
