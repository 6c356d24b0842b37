using Strata.Storage.Log;

namespace Strata.Server.Commands.SortedSets;

/// <summary>What OBJECT ENCODING answers for sorted sets.</summary>
internal static class SortedSetEncoding
{
    public static ReadOnlySpan<byte> Of(in Record record)
        => record.IsLarge || record.IsFrozen ? "skiplist"u8 : "listpack"u8;
}
