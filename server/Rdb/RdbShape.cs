using Strata.Storage.Log;

namespace Strata.Server.Rdb;

/// <summary>How a value is written: what it is, and in what parts. One row for each number of a type.</summary>
/// <param name="Type">What the value is.</param>
/// <param name="Parts">What it is made of.</param>
/// <param name="Blob">What the entries of a part are in that is one string; null where parts are elements.</param>
internal sealed record RdbShape(RecordType Type, RdbParts Parts, RdbBlob Blob = RdbBlob.None)
{
    private static readonly RdbShape?[] s_all = MakeAll();

    /// <summary>Whether the time of the first field that expires stands in front.</summary>
    public bool HasTimes { get; init; }

    /// <summary>Of a sorted set, whether its scores are text.</summary>
    public bool HasTextScores { get; init; }

    /// <summary>The shape with a number.</summary>
    /// <param name="type">The number (<see cref="RdbType"/>).</param>
    /// <param name="offset">Where it was read.</param>
    /// <exception cref="RdbException">There is no such shape, or none that this server can have.</exception>
    public static RdbShape Of(byte type, long offset)
        => (type < s_all.Length ? s_all[type] : null)
            ?? throw new RdbException($"a value of the unknown type {type}", offset);

    private static RdbShape?[] MakeAll()
    {
        var all = new RdbShape?[RdbType.HashListpackWithTimes + 1];
        all[RdbType.String] = new(RecordType.String, RdbParts.One);
        all[RdbType.List] = new(RecordType.List, RdbParts.Elements);
        all[RdbType.ListZiplist] = new(RecordType.List, RdbParts.One, RdbBlob.Ziplist);
        all[RdbType.QuicklistOfZiplists] = new(RecordType.List, RdbParts.Nodes, RdbBlob.Ziplist);
        all[RdbType.Quicklist] = new(RecordType.List, RdbParts.MarkedNodes, RdbBlob.Listpack);
        all[RdbType.Set] = new(RecordType.Set, RdbParts.Elements);
        all[RdbType.Intset] = new(RecordType.Set, RdbParts.One, RdbBlob.Intset);
        all[RdbType.SetListpack] = new(RecordType.Set, RdbParts.One, RdbBlob.Listpack);
        all[RdbType.SortedSetOfTexts] = new(RecordType.SortedSet, RdbParts.Elements) { HasTextScores = true };
        all[RdbType.SortedSet] = new(RecordType.SortedSet, RdbParts.Elements);
        all[RdbType.SortedSetZiplist] = new(RecordType.SortedSet, RdbParts.One, RdbBlob.Ziplist);
        all[RdbType.SortedSetListpack] = new(RecordType.SortedSet, RdbParts.One, RdbBlob.Listpack);
        all[RdbType.Hash] = new(RecordType.Hash, RdbParts.Elements);
        all[RdbType.Zipmap] = new(RecordType.Hash, RdbParts.One, RdbBlob.Zipmap);
        all[RdbType.HashZiplist] = new(RecordType.Hash, RdbParts.One, RdbBlob.Ziplist);
        all[RdbType.HashListpack] = new(RecordType.Hash, RdbParts.One, RdbBlob.Listpack);
        all[RdbType.Stream] = new(RecordType.Stream, RdbParts.Stream);
        all[RdbType.Stream2] = new(RecordType.Stream, RdbParts.Stream);
        all[RdbType.Stream3] = new(RecordType.Stream, RdbParts.Stream);
        all[RdbType.HashWithTimes] = new(RecordType.Hash, RdbParts.Elements) { HasTimes = true };
        all[RdbType.HashListpackWithTimes] =
            new(RecordType.Hash, RdbParts.One, RdbBlob.Listpack) { HasTimes = true };
        return all;
    }
}
