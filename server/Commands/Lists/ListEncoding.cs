using Strata.Storage.Collections.Lists;
using Strata.Storage.Log;

namespace Strata.Server.Commands.Lists;

/// <summary>What OBJECT ENCODING says of lists.</summary>
internal static class ListEncoding
{
    public static ReadOnlySpan<byte> Of(in Record record)
        => ListReader.IsQuicklist(record) ? "quicklist"u8 : "listpack"u8;
}
