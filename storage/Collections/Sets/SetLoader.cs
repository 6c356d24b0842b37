using System.Runtime.InteropServices;
using Strata.Storage.Index;
using Strata.Storage.Log;
using Strata.Storage.Memory;
using Strata.Storage.Strings;

namespace Strata.Storage.Collections.Sets;

/// <summary>Makes a set of members that come one by one. As long as they are few, and all are integers, they are sorted
/// numbers of eight bytes.</summary>
public sealed unsafe class SetLoader : CollectionLoader
{
    private SetLimits _limits;
    private bool _areIntegers;
    private int _longest;

    /// <inheritdoc cref="CollectionLoader(RecordType, MemoryBudget)"/>
    public SetLoader(MemoryBudget budget)
        : base(RecordType.Set, budget)
    {
    }

    /// <summary>Begins with an empty set for a shard.</summary>
    public void Begin(CollectionStore store, in SetLimits limits)
    {
        Begin(store);
        _limits = limits;
        _areIntegers = true;
        _longest = 0;
    }

    /// <inheritdoc/>
    private protected override int HeaderBytes => PackedSet.HeaderBytes;

    private Span<long> Integers => MemoryMarshal.Cast<byte, long>(Packed[PackedSet.HeaderBytes..]);

    /// <summary>Adds a member.</summary>
    /// <returns>False when it was there.</returns>
    /// <exception cref="MemoryExhaustedException">The set is to be abandoned.</exception>
    public bool Add(ReadOnlySpan<byte> member)
    {
        if (Root == null && _areIntegers && CanonicalInteger.TryParse(member, out var value))
        {
            return Add(value);
        }

        var bytes = PackedForm.SizeOf(member.Length);
        Ask(bytes);
        _longest = Math.Max(_longest, member.Length);
        if (Root == null)
        {
            if (_areIntegers)
            {
                MakeEntries();
            }

            if (PackedCount < _limits.MaxMembers && _longest <= _limits.MaxMemberBytes && HasRoom(bytes))
            {
                return AddEntry(member);
            }

            MakeLarge();
        }

        return new LargeSet(Root).Add(Heap, member);
    }

    /// <summary>Adds a member that is an integer.</summary>
    /// <inheritdoc cref="Add(ReadOnlySpan{byte})"/>
    public bool Add(long member)
    {
        if (Root == null && _areIntegers && PackedCount < MostPacked
            && _limits.AllowIntegers(PackedCount + 1))
        {
            return AddInteger(member);
        }

        Span<byte> digits = stackalloc byte[CanonicalInteger.MaxBytes];
        if (Root == null && _areIntegers)
        {
            MakeLarge();
        }

        return Add(digits[..CanonicalInteger.Format(member, digits)]);
    }

    /// <inheritdoc/>
    private protected override bool FitsPacked(long packedBytes)
    {
        if (Count > Math.Max(_limits.MaxIntegers, _limits.MaxMembers))
        {
            return false;
        }

        return _limits.AllowMembers(Count, _longest, packedBytes)
            || (_limits.AllowIntegers(Count) && DetachedSet.AreIntegers(new LargeSet(Root), out _));
    }

    /// <inheritdoc/>
    private protected override Record WritePacked(in Key key, in Record existing, in RecordSpec spec)
        => DetachedSet.WritePacked(Store, new LargeSet(Root), key, existing, spec, _limits);

    /// <inheritdoc/>
    private protected override void WriteHeader()
    {
        var width = _areIntegers ? NarrowIntegers() : PackedSet.Entries;
        PackedSet.WriteHeader(Packed, PackedCount, width);
    }

    /// <inheritdoc/>
    private protected override void MakeLarge()
    {
        if (_areIntegers)
        {
            MakeEntries();
        }

        base.MakeLarge();
    }

    private bool AddInteger(long member)
    {
        var integers = Integers;
        var place = integers.Length;
        if (place > 0 && member <= integers[^1])
        {
            place = integers.BinarySearch(member);
            if (place >= 0)
            {
                return false;
            }

            place = ~place;
        }

        _ = Extend(sizeof(long));
        integers = Integers;
        integers[place..^1].CopyTo(integers[(place + 1)..]);
        integers[place] = member;
        PackedCount++;
        return true;
    }

    private bool AddEntry(ReadOnlySpan<byte> member)
    {
        if (PackedSet.Find(Packed, member) >= 0)
        {
            return false;
        }

        _ = PackedForm.Write(Extend(PackedForm.SizeOf(member.Length)), member);
        PackedCount++;
        return true;
    }

    /// <summary>Writes the integers in as few bytes each as suffice for all.</summary>
    /// <returns>The bytes of each.</returns>
    private int NarrowIntegers()
    {
        var integers = Integers;
        var width = Math.Max(PackedIntegers.WidthOf(integers[0]), PackedIntegers.WidthOf(integers[^1]));
        for (var i = 0; i < integers.Length; i++)
        {
            PackedIntegers.Set(Packed, width, i, integers[i]); // Each lies before the next one.
        }

        PackedBytes = PackedSet.HeaderBytes + (integers.Length * width);
        return width;
    }

    /// <summary>Writes the integers as entries.</summary>
    private void MakeEntries()
    {
        _areIntegers = false;
        Span<byte> digits = stackalloc byte[CanonicalInteger.MaxBytes];
        var integers = Integers.ToArray();
        PackedBytes = PackedSet.HeaderBytes;
        foreach (var integer in integers)
        {
            var member = digits[..CanonicalInteger.Format(integer, digits)];
            _longest = Math.Max(_longest, member.Length);
            _ = PackedForm.Write(Extend(PackedForm.SizeOf(member.Length)), member);
        }
    }
}
