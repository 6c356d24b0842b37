using Strata.Storage.Collections.Sets;
using Strata.Storage.Log;

namespace Strata.Server.Commands.Sets;

/// <summary>How a set is stored, in Redis's terms.</summary>
internal static class SetEncoding
{
    /// <summary>What OBJECT ENCODING answers.</summary>
    public static ReadOnlySpan<byte> Of(in Record record)
        => record.IsLarge || record.IsFrozen ? "hashtable"u8
            : new SetReader(record).IsIntegers ? "intset"u8
            : "listpack"u8;
}
