using System.Runtime.InteropServices;
using Strata.Storage.Collections.Hashes;
using Strata.Storage.Collections.Lists;
using Strata.Storage.Collections.Sets;
using Strata.Storage.Collections.SortedSets;
using Strata.Storage.Log;
using Strata.Storage.Strings;

namespace Strata.Storage.Collections;

/// <summary>
/// Goes through all elements of a collection in whatever form: packed, frozen or large. It may stop after any element
/// and go on later, as long as the collection was not changed meanwhile; its record may have been moved. Lists go from
/// head to tail, large sorted sets from the highest score down, packed ones up, as they lie. Used under the shard's
/// lease; can be used again.
/// </summary>
public sealed unsafe class CollectionWalk
{
    private readonly byte[] _digits = new byte[CanonicalInteger.MaxBytes];
    private bool _isLarge;
    private RecordType _type;

    // Of a packed collection: where the next element begins, how many came before it, and how many times of fields.
    private int _offset;
    private int _elements;
    private int _times;

    // Of a large one.
    private ElementWalk _walk;
    private ListCursor _list;
    private SortedSetCursor _sorted;
    private Place _mark;

    /// <summary>Stands before the first element of a collection.</summary>
    public void Begin(in Record record)
    {
        _offset = record.Type == RecordType.Set ? PackedSet.HeaderBytes : PackedForm.HeaderBytes;
        _elements = 0;
        _times = 0;
        _isLarge = record.IsLarge;
        _type = record.Type;
        if (!_isLarge)
        {
            return;
        }

        var root = ShardCollections.RootOf(record);
        switch (record.Type)
        {
            case RecordType.Hash:
                _walk = ElementTable.Walk(&((HashRoot*)root)->Table);
                break;
            case RecordType.Set:
                _walk = new LargeSet(root).Walk();
                break;
            case RecordType.List:
                _list = new ListCursor(ListBlock.FirstOf(((ListRoot*)root)->First));
                break;
            default:
                var sorted = new SortedSetReader(record);
                _sorted = sorted.Walk(sorted.All, isReverse: true);
                break;
        }
    }

    /// <summary>Gives the next element.</summary>
    /// <param name="record">The collection's record, as it is now.</param>
    /// <param name="element">The element.</param>
    /// <returns>False when there is none.</returns>
    public bool TryNext(scoped in Record record, out WalkedElement element)
    {
        if (_isLarge)
        {
            return TryNextLarge(out element);
        }

        var packed = record.Value;
        if (_elements == PackedForm.CountOf(packed))
        {
            element = default;
            return false;
        }

        element = record.Type switch
        {
            RecordType.Hash => NextField(packed),
            RecordType.Set => NextMember(packed),
            RecordType.List => NextOfList(record),
            _ => NextScored(packed),
        };
        _elements++;
        return true;
    }

    /// <summary>Gives the next element of a large collection, whose record is not needed for that.</summary>
    /// <returns>False when there is none.</returns>
    public bool TryNextLarge(out WalkedElement element)
    {
        element = default;
        byte* block;
        switch (_type)
        {
            case RecordType.Hash when _walk.TryNext(out block):
                element = new WalkedElement
                {
                    Name = HashField.KeyOf(block),
                    Value = HashField.ValueOf(block),
                    ExpiryMs = HashField.ExpiryMsOf(block),
                };
                return true;
            case RecordType.Set when _walk.TryNext(out block):
                element = new WalkedElement { Name = SetMember.KeyOf(block) };
                return true;
            case RecordType.List when !_list.IsEnd:
                element = new WalkedElement { Name = _list.Current };
                _list.MoveNext();
                return true;
            case RecordType.SortedSet when _sorted.TryNext(out var scored):
                element = new WalkedElement { Name = scored.Member, Score = scored.Score };
                return true;
            default:
                return false;
        }
    }

    /// <summary>Notes the place before the next element.</summary>
    public void Mark()
        => _mark = _isLarge ? new Place(0, 0, 0, _walk, _list, _sorted)
            : new Place(_offset, _elements, _times, default, default, default);

    /// <summary>Goes back to the place that was noted last.</summary>
    public void Return()
        => (_offset, _elements, _times, _walk, _list, _sorted)
            = (_mark.Offset, _mark.Elements, _mark.Times, _mark.Walk, _mark.List, _mark.Sorted);

    private WalkedElement NextField(ReadOnlySpan<byte> packed)
    {
        var expiryMs = -1L;
        var times = HashForm.TimesOf(packed);
        if (_times * HashRoot.PackedExpiryBytes < times.Length)
        {
            var time = times[(_times * HashRoot.PackedExpiryBytes)..];
            if (MemoryMarshal.Read<int>(time) == _elements)
            {
                expiryMs = MemoryMarshal.Read<long>(time[sizeof(int)..]);
                _times++;
            }
        }

        var name = PackedForm.Read(packed, ref _offset);
        return new WalkedElement { Name = name, Value = PackedForm.Read(packed, ref _offset), ExpiryMs = expiryMs };
    }

    private WalkedElement NextMember(ReadOnlySpan<byte> packed)
    {
        var width = PackedSet.WidthOf(packed);
        if (width == PackedSet.Entries)
        {
            return new WalkedElement { Name = PackedForm.Read(packed, ref _offset) };
        }

        var value = PackedIntegers.At(packed, width, _elements);
        return new WalkedElement { Name = _digits.AsSpan(0, CanonicalInteger.Format(value, _digits)), Integer = value };
    }

    private WalkedElement NextOfList(scoped in Record record)
    {
        var entry = record.KeyPointer + record.KeyLength + _offset;
        _offset += ListEntry.SizeAt(entry);
        return new WalkedElement { Name = ListEntry.Read(entry) };
    }

    private WalkedElement NextScored(ReadOnlySpan<byte> packed)
    {
        var score = MemoryMarshal.Read<double>(packed[_offset..]);
        _offset += sizeof(double);
        return new WalkedElement { Name = PackedForm.Read(packed, ref _offset), Score = score };
    }

    private readonly record struct Place(
        int Offset, int Elements, int Times, ElementWalk Walk, ListCursor List, SortedSetCursor Sorted);
}
