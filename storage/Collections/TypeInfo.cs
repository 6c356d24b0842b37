using Strata.Storage.Collections.Hashes;
using Strata.Storage.Collections.Lists;
using Strata.Storage.Collections.Sets;
using Strata.Storage.Collections.SortedSets;
using Strata.Storage.Collections.Streams;
using Strata.Storage.Log;
using Strata.Storage.Strings;

namespace Strata.Storage.Collections;

/// <summary>What there is to know of a type of values beside the code that reads and changes them: one row for each
/// type, and nowhere else a list of all.</summary>
public sealed class TypeInfo
{
    private static readonly TypeInfo[] s_all =
    [
        new(RecordType.String, "string"u8, StringEncoding.Of, large: null),
        new(RecordType.List, "list"u8, ListForm.EncodingOf, ListForm.Instance),
        new(RecordType.Set, "set"u8, SetForm.EncodingOf, SetForm.Instance),
        new(RecordType.SortedSet, "zset"u8, SortedSetForm.EncodingOf, SortedSetForm.Instance),
        new(RecordType.Hash, "hash"u8, HashForm.EncodingOf, HashForm.Instance),
        new(RecordType.Stream, "stream"u8, StreamEncoding, StreamForm.Instance),
    ];

    private static readonly TypeInfo[] s_byNumber = ByNumber();

    private readonly byte[] _name;
    private readonly Encoding _encoding;
    private readonly ILargeForm? _large;

    private TypeInfo(RecordType type, ReadOnlySpan<byte> name, Encoding encoding, ILargeForm? large)
    {
        Type = type;
        _name = name.ToArray();
        _encoding = encoding;
        _large = large;
    }

    private delegate ReadOnlySpan<byte> Encoding(in Record record);

    /// <summary>All types.</summary>
    public static ReadOnlySpan<TypeInfo> All => s_all;

    /// <summary>The type.</summary>
    public RecordType Type { get; }

    /// <summary>The name clients know the type by.</summary>
    public ReadOnlySpan<byte> Name => _name;

    /// <summary>The large form of its collections.</summary>
    /// <exception cref="InvalidOperationException">The type is none of collections.</exception>
    internal ILargeForm Large
        => _large ?? throw new InvalidOperationException($"records of type {Type} have no large form");

    /// <summary>The row of a type. A number that is no type, as a torn read may give, is "unknown" in all.</summary>
    public static TypeInfo Of(RecordType type) => s_byNumber[(int)type];

    /// <summary>How Redis would store a record's value: what OBJECT ENCODING answers.</summary>
    public ReadOnlySpan<byte> EncodingOf(in Record record) => _encoding(record);

    private static TypeInfo[] ByNumber()
    {
        var rows = new TypeInfo[RecordHeader.TypeCount];
        for (var number = 0; number < rows.Length; number++)
        {
            rows[number] = new TypeInfo((RecordType)number, "unknown"u8, NoEncoding, large: null);
        }

        foreach (var row in s_all)
        {
            rows[(int)row.Type] = row;
        }

        return rows;
    }

    private static ReadOnlySpan<byte> NoEncoding(in Record record) => "unknown"u8;

    private static ReadOnlySpan<byte> StreamEncoding(in Record record) => "stream"u8;
}
