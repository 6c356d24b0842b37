using Strata.Storage.Log;

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

    /// <summary>Whether the members are in a table rather than in one record: those of such a set have no positions.
    /// </summary>
    public bool IsLarge => !_record.IsNull && _record.IsLarge;

    /// <summary>Whether the members are kept as sorted integers.</summary>
    public bool IsIntegers
        => !_record.IsNull && !_record.IsLarge && PackedSet.WidthOf(_record.Value) != PackedSet.Entries;

    /// <summary>Whether a member is in the set.</summary>
    public bool Contains(ReadOnlySpan<byte> member)
        => !_record.IsNull
            && (_record.IsLarge ? Table.Contains(member) : PackedSet.Contains(_record.Value, member));

    /// <summary>Goes through all members once. The set must not change meanwhile.</summary>
    public SetEnumerator GetEnumerator() => IsLarge ? new SetEnumerator(Table) : new SetEnumerator(Packed);

    /// <summary>The member at a position of a packed set, below <see cref="Count"/>.</summary>
    /// <param name="position">The position.</param>
    /// <param name="digits">Where an integer is written, <see cref="CanonicalInteger.MaxBytes"/>.</param>
    public ReadOnlySpan<byte> At(int position, Span<byte> digits)
    {
        var width = PackedSet.WidthOf(Packed);
        return width == PackedSet.Entries
            ? PackedSet.EntryAt(Packed, position)
            : digits[..CanonicalInteger.Format(PackedIntegers.At(Packed, width, position), digits)];
    }

    /// <summary>A member at random, each with the same chance, of a set that has some.</summary>
    /// <param name="random">What decides.</param>
    /// <param name="digits">Where an integer is written, <see cref="CanonicalInteger.MaxBytes"/>.</param>
    public ReadOnlySpan<byte> Draw(Random random, Span<byte> digits)
        => IsLarge ? Table.Draw(random) : At(random.Next((int)Count), digits);

    private LargeSet Table => new(ShardCollections.RootOf(_record));

    private ReadOnlySpan<byte> Packed => _record.IsNull ? default : _record.Value;
}
