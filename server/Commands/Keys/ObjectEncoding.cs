using Strata.Server.Commands.Hashes;
using Strata.Server.Commands.Lists;
using Strata.Server.Commands.Model;
using Strata.Server.Commands.Sets;
using Strata.Server.Commands.SortedSets;
using Strata.Server.Resp;
using Strata.Storage.Log;

namespace Strata.Server.Commands.Keys;

/// <summary>OBJECT ENCODING key</summary>
/// <remarks>A record holds any string the same way. The answer is what Redis's would be: programs decide by it how to
/// read or measure a value.</remarks>
internal static class ObjectEncoding
{
    public static readonly CommandRow Row = new("encoding", 3, CommandFlags.ReadOnly,
        new KeySpec(2, 2, 1, KeyAccess.ReadOnly), Execute)
    {
        Group = CommandGroup.Generic,
        Categories = AclCategories.KeySpace,
        Since = "2.2.3",
        Summary = "Tells how a value is stored, in Redis's terms.",
        Differs = "Answers the form that Redis's rules give, but SORT does not make a skiplist of a listpack.",
        Complexity = "O(1)",
        Tips = ["nondeterministic_output"],
        Syntax = "key",
    };

    // Redis puts strings of up to this length into one allocation with their object.
    private const int MaxEmbeddedBytes = 44;

    private static void Execute(CommandContext context)
    {
        if (!context.TryExamine(context.KeyAt(2), out var record))
        {
            context.Reply.Null();
            return;
        }

        context.Reply.Bulk(Of(record));
    }

    private static ReadOnlySpan<byte> Of(in Record record) => record.Type switch
    {
        RecordType.String => OfString(record),
        RecordType.Hash => HashAccess.EncodingOf(record),
        RecordType.List => ListEncoding.Of(record),
        RecordType.SortedSet => SortedSetEncoding.Of(record),
        RecordType.Set => SetEncoding.Of(record),
        _ => "unknown"u8,
    };

    private static ReadOnlySpan<byte> OfString(in Record record)
    {
        if ((record.Flags & RecordFlags.Edited) != 0)
        {
            return "raw"u8;
        }

        var isInteger = (record.Flags & RecordFlags.Decimal) == 0 && NumberParser.TryParseInt64(record.Value, out _);
        return isInteger ? "int"u8
            : record.ValueLength <= MaxEmbeddedBytes ? "embstr"u8
            : "raw"u8;
    }
}
