using Strata.Server.Resp;
using Strata.Storage.Log;

namespace Strata.Server.Commands.Keys;

/// <summary>The names clients know the types of values by.</summary>
internal static class TypeNames
{
    /// <summary>The name of a type. A number that is no type, as a torn read may give, has none.</summary>
    public static ReadOnlySpan<byte> Of(RecordType type) => type switch
    {
        RecordType.String => "string"u8,
        RecordType.List => "list"u8,
        RecordType.Set => "set"u8,
        RecordType.SortedSet => "zset"u8,
        RecordType.Hash => "hash"u8,
        _ => "unknown"u8,
    };

    /// <summary>The type a name means, whatever its case; null for a word that is no type's name.</summary>
    public static RecordType? Parse(ReadOnlySpan<byte> name)
    {
        foreach (var type in Enum.GetValues<RecordType>())
        {
            if (NumberParser.IsWord(name, Of(type)))
            {
                return type;
            }
        }

        return null;
    }
}
