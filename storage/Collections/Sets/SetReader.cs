using Strata.Storage.Log;
using Strata.Storage.Strings;

namespace Strata.Storage.Collections.Sets;

/// <summary>Reads a set in any of its forms. Valid until the next change of its key.</summary>
public readonly unsafe struct SetReader
{
    private readonly Record _record;

    /// <summary>Reads a record that was looked up; a null one is the empty set.</summary>
    public SetReader(in Record record)
    {
        _record = record;
    }

    /// <summary>Members.</summary>
    public long Count => _record.IsNull ? 0 : ShardCollections.CountOf(_record);

    /// <summary>Whether there are no members.</summary>
    public bool IsEmpty => _record.IsNull || Count == 0;

    /// <summary>Whether the members are in a table rather than in one record.</summary>
    public bool IsLarge => !_record.IsNull && _record.IsLarge;

    /// <summary>Bytes of a large set; 0 of others.</summary>
    public long LargeBytes => IsLarge ? Large.WeightBytes : 0;

    /// <summary>The table of a large set; null for others.</summary>
    public ElementTable* Table => IsLarge ? Large.Table : null;

    /// <summary>Whether the members are kept as sorted integers.</summary>
    public bool IsIntegers
        => !_record.IsNull && !_record.IsLarge && PackedSet.WidthOf(_record.Value) != PackedSet.Entries;

    /// <summary>Bytes of each member of a set of integers (2, 4 or 8); 0 for others.</summary>
    public int IntegerBytes => IsIntegers ? PackedSet.WidthOf(_record.Value) : 0;

    /// <summary>Whether a member is in the set.</summary>
    public bool Contains(ReadOnlySpan<byte> member)
        => !_record.IsNull
            && (_record.IsLarge ? Large.Contains(member) : PackedSet.Contains(_record.Value, member));

    /// <summary>Goes through all members once. The set must not change meanwhile.</summary>
    public SetEnumerator GetEnumerator() => IsLarge ? new SetEnumerator(Large) : new SetEnumerator(Packed);

    /// <summary>Goes on to the next member of a packed set.</summary>
    /// <param name="position">0 before the first one; the set's own afterwards.</param>
    /// <param name="place">Where the member is, for <see cref="MemberAt"/>.</param>
    /// <returns>False at the end.</returns>
    public bool TryNext(ref int position, out nint place)
    {
        if (IsIntegers)
        {
            place = position;
            return position++ < Count;
        }

        position = Math.Max(position, PackedSet.HeaderBytes);
        place = position;
        if (position >= Packed.Length)
        {
            return false;
        }

        PackedForm.Skip(Packed, ref position);
        return true;
    }

    /// <summary>The member at a place.</summary>
    /// <param name="place">Of a packed set, as <see cref="TryNext"/> gave it; of a large one, the address of a block of
    /// its <see cref="Table"/>.</param>
    /// <param name="digits">Where an integer is written, <see cref="CanonicalInteger.MaxBytes"/>.</param>
    public ReadOnlySpan<byte> MemberAt(nint place, Span<byte> digits)
    {
        if (IsLarge)
        {
            return SetMember.KeyOf((byte*)place);
        }

        var offset = (int)place;
        return IsIntegers ? IntegerAt(offset, digits) : PackedForm.Read(Packed, ref offset);
    }

    /// <summary>A member at random, each with the same chance, of a set that has some.</summary>
    /// <param name="random">What decides.</param>
    /// <param name="digits">Where an integer is written, <see cref="CanonicalInteger.MaxBytes"/>.</param>
    public ReadOnlySpan<byte> Draw(Random random, Span<byte> digits)
    {
        if (IsLarge)
        {
            return Large.Draw(random);
        }

        var position = random.Next((int)Count);
        return IsIntegers ? IntegerAt(position, digits) : PackedSet.EntryAt(Packed, position);
    }

    private LargeSet Large => new(ShardCollections.RootOf(_record));

    private ReadOnlySpan<byte> Packed => _record.IsNull ? default : _record.Value;

    private ReadOnlySpan<byte> IntegerAt(int position, Span<byte> digits)
        => digits[..CanonicalInteger.Format(
            PackedIntegers.At(Packed, PackedSet.WidthOf(Packed), position), digits)];
}
