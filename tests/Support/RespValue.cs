using System.Globalization;
using System.Text;

namespace Strata.Tests.Support;

/// <summary>
/// One reply as it came over the wire. Equality is structural and exact: kind, bytes, and items in order.
/// Maps and attributes hold their keys and values alternately in <see cref="Items"/>.
/// </summary>
public sealed class RespValue : IEquatable<RespValue>
{
    private static readonly RespValue[] s_noItems = [];

    public RespValue(RespKind kind, byte[] bytes)
    {
        Kind = kind;
        Bytes = bytes;
        Items = s_noItems;
    }

    public RespValue(RespKind kind, IReadOnlyList<RespValue> items)
    {
        Kind = kind;
        Bytes = [];
        Items = items;
    }

    public RespKind Kind { get; }

    /// <summary>The payload of a scalar, without framing; empty for aggregates and nulls.</summary>
    public byte[] Bytes { get; }

    public IReadOnlyList<RespValue> Items { get; }

    /// <summary>The payload, one char per byte.</summary>
    public string Text => Encoding.Latin1.GetString(Bytes);

    public bool IsError => Kind is RespKind.Error or RespKind.BlobError;

    public bool IsNull => Kind is RespKind.NullBulk or RespKind.NullArray or RespKind.Null;

    public bool IsAggregate => Kind is RespKind.Array or RespKind.Map or RespKind.Set or RespKind.Push
        or RespKind.Attribute;

    /// <summary>The integer of an integer reply, or of a bulk or simple string that holds one.</summary>
    /// <exception cref="FormatException">The payload is not an integer.</exception>
    public long Integer =>
        long.TryParse(Text, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out var number)
            ? number
            : throw new FormatException($"Not an integer: {this}");

    public static RespValue Bulk(string text) => new(RespKind.BulkString, Encoding.Latin1.GetBytes(text));

    public static RespValue Simple(string text) => new(RespKind.SimpleString, Encoding.Latin1.GetBytes(text));

    public static RespValue Error(string text) => new(RespKind.Error, Encoding.Latin1.GetBytes(text));

    public static RespValue Number(long value) =>
        new(RespKind.Integer, Encoding.Latin1.GetBytes(value.ToString(CultureInfo.InvariantCulture)));

    public static RespValue Array(params RespValue[] items) => new(RespKind.Array, items);

    /// <summary>
    /// The same value with everything whose order is free put in one order: sets always, maps by pairs, and
    /// arrays too when <paramref name="arraysToo"/> is given. Two replies are the same but for free order
    /// exactly if their sorted values are equal.
    /// </summary>
    public RespValue Sorted(bool arraysToo = false)
    {
        if (Items.Count == 0)
        {
            return this;
        }

        var items = Items.Select(item => item.Sorted(arraysToo)).ToList();
        if (Kind is RespKind.Map)
        {
            items = SortPairs(items);
        }
        else if (Kind is RespKind.Set || (arraysToo && Kind is RespKind.Array))
        {
            items.Sort(CompareByText);
        }

        return new RespValue(Kind, items);
    }

    /// <summary>A map, or an array read as key, value, key, value, with its pairs in order of their keys.</summary>
    public RespValue SortedPairs() => Items.Count % 2 == 0 ? new RespValue(Kind, SortPairs([.. Items])) : this;

    /// <summary>The value of <paramref name="key"/> in a map or a flat array of pairs; null when it isn't
    /// there.</summary>
    public RespValue? Field(string key)
    {
        for (var i = 0; i + 1 < Items.Count; i += 2)
        {
            if (Items[i].Text == key)
            {
                return Items[i + 1];
            }
        }

        return null;
    }

    public bool Equals(RespValue? other) =>
        other is not null
        && Kind == other.Kind
        && Bytes.AsSpan().SequenceEqual(other.Bytes)
        && Items.SequenceEqual(other.Items);

    public override bool Equals(object? obj) => Equals(obj as RespValue);

    public override int GetHashCode()
    {
        var hash = new HashCode();
        hash.Add(Kind);
        hash.AddBytes(Bytes);
        foreach (var item in Items)
        {
            hash.Add(item);
        }

        return hash.ToHashCode();
    }

    /// <summary>As redis-cli prints replies, but with the kind of each value, so that RESP2 and RESP3 differ.</summary>
    public override string ToString() => RespPrinter.Print(this);

    private static List<RespValue> SortPairs(List<RespValue> items) =>
        items.Chunk(2).OrderBy(pair => pair[0].ToString(), StringComparer.Ordinal).SelectMany(pair => pair).ToList();

    private static int CompareByText(RespValue left, RespValue right) =>
        string.CompareOrdinal(left.ToString(), right.ToString());
}
