using Strata.Server.Commands.Model;
using Strata.Storage.Collections.Hashes;
using Strata.Storage.Collections.Lists;
using Strata.Storage.Collections.Sets;
using Strata.Storage.Collections.SortedSets;
using Strata.Storage.Index;
using Strata.Storage.Log;

namespace Strata.Server.Commands.Sorting;

/// <summary>What SORT reads of collections: the elements of lists, sets and sorted sets, the fields of hashes.
/// </summary>
internal static class SortSource
{
    /// <summary>Whether a key of this type can be sorted.</summary>
    public static bool CanSort(RecordType type) => type is RecordType.List or RecordType.Set or RecordType.SortedSet;

    /// <summary>Elements of a collection.</summary>
    public static long CountOf(in Record record) => Strata.Storage.Collections.ShardCollections.CountOf(record);

    /// <summary>Whether elements come in the order, or the reverse order, that is asked for, so that of an unsorted
    /// result only the part that is given needs to be loaded.</summary>
    public static bool HasOrder(RecordType type) => type != RecordType.Set;

    /// <summary>Adds elements of a collection, in its own order.</summary>
    public static void Load(
        in Record record, long first, long count, bool isReverse, SortVector elements)
    {
        switch (record.Type)
        {
            case RecordType.List:
                LoadList(new ListReader(record), first, count, isReverse, elements);
                break;
            case RecordType.Set:
                LoadSet(new SetReader(record), elements);
                break;
            case RecordType.SortedSet:
                LoadSortedSet(new SortedSetReader(record), first, count, isReverse, elements);
                break;
            default:
                throw new InvalidOperationException($"a {record.Type} cannot be sorted");
        }
    }

    /// <summary>Looks up a field of a hash.</summary>
    public static bool TryGetField(
        CommandContext context, scoped in Key key, ReadOnlySpan<byte> field, out ReadOnlySpan<byte> value)
    {
        if (context.ReadCollection(key, RecordType.Hash, out var record) != Lookup.Found)
        {
            value = default;
            return false;
        }

        return new HashReader(record, context.NowMs).TryGet(field, out value);
    }

    private static void LoadList(
        in ListReader list, long first, long count, bool isReverse, SortVector elements)
    {
        if (count == 0)
        {
            return;
        }

        var cursor = list.At(isReverse ? list.Count - 1 - first : first);
        for (var left = count; left > 0; left--)
        {
            elements.Add(cursor.Current);
            if (isReverse)
            {
                _ = cursor.TryMovePrevious();
            }
            else
            {
                cursor.MoveNext();
            }
        }
    }

    private static void LoadSet(in SetReader set, SortVector elements)
    {
        foreach (var member in set)
        {
            if (set.IsIntegers)
            {
                elements.AddCopy(member);
            }
            else
            {
                elements.Add(member);
            }
        }
    }

    private static void LoadSortedSet(
        in SortedSetReader set, long first, long count, bool isReverse, SortVector elements)
    {
        var start = isReverse ? set.Count - first - count : first;
        var cursor = set.Walk(new RankRange(start, count), isReverse);
        while (cursor.TryNext(out var element))
        {
            elements.Add(element.Member);
        }
    }
}
