using Strata.Storage.Collections.Streams;

namespace Strata.Tests.Storage.Collections.Streams;

/// <summary>The fields of an entry as names and values in turn.</summary>
internal readonly struct StreamFieldList(byte[][] parts) : IStreamFields
{
    public int Count => parts.Length / 2;

    public ReadOnlySpan<byte> NameAt(int index) => parts[2 * index];

    public ReadOnlySpan<byte> ValueAt(int index) => parts[(2 * index) + 1];
}
