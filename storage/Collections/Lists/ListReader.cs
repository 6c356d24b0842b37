using Strata.Storage.Log;

namespace Strata.Storage.Collections.Lists;

/// <summary>A list as its record holds it, packed or large (not frozen), to be read until its next change.</summary>
public readonly unsafe struct ListReader
{
    private readonly Record _record;
    private readonly ListRoot* _root;

    /// <summary>The list of a record.</summary>
    public ListReader(in Record record)
    {
        _record = record;
        _root = record.IsLarge ? (ListRoot*)ShardCollections.RootOf(record) : null;
    }

    /// <summary>Elements; 0 of a default value, which stands for a list that is not there.</summary>
    public long Count => _root != null ? _root->Count : _record.IsNull ? 0 : PackedForm.CountOf(_record.Value);

    /// <summary>Bytes of a large list; 0 of others.</summary>
    public long LargeBytes => _root != null ? _root->Weight : 0;

    /// <summary>Whether Redis would hold a list, of whatever form, in a quicklist rather than in a listpack.</summary>
    public static bool IsQuicklist(in Record record)
        => record.IsLarge ? ((ListRoot*)ShardCollections.RootOf(record))->IsQuicklist
            : record.IsFrozen && ListForm.IsMarkedQuicklist(record.Value);

    /// <summary>The place of an element, from 0 to <see cref="Count"/>, which is behind the last one.</summary>
    public ListCursor At(long index)
    {
        if (_root != null)
        {
            return new ListCursor(BlockList.Find(_root, index));
        }

        if (index > Count / 2)
        {
            var back = End;
            for (var left = Count - index; left > 0; left--)
            {
                _ = back.TryMovePrevious();
            }

            return back;
        }

        var cursor = new ListCursor(_record, 0);
        for (; index > 0; index--)
        {
            cursor.MoveNext();
        }

        return cursor;
    }

    /// <summary>Finds an element by its index, which counts from the end when it is negative.</summary>
    public bool TryFind(long index, out ListCursor cursor)
    {
        var position = index < 0 ? index + Count : index;
        var isInside = position >= 0 && position < Count;
        cursor = isInside ? At(position) : default;
        return isInside;
    }

    /// <summary>The element at an end.</summary>
    public ListCursor AtEnd(ListEnd end)
    {
        if (_root != null)
        {
            return new ListCursor(
                end == ListEnd.Head ? ListBlock.FirstOf(_root->First) : ListBlock.LastOf(_root->Last));
        }

        var cursor = end == ListEnd.Head ? new ListCursor(_record, 0) : End;
        _ = end == ListEnd.Tail && cursor.TryMovePrevious();
        return cursor;
    }

    private ListCursor End => new(_record, _record.ValueLength - PackedForm.HeaderBytes);
}
