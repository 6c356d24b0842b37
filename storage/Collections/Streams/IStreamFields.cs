namespace Strata.Storage.Collections.Streams;

/// <summary>The fields of an entry that is to be added, wherever they are.</summary>
public interface IStreamFields
{
    /// <summary>How many there are.</summary>
    int Count { get; }

    /// <summary>The name of a field.</summary>
    ReadOnlySpan<byte> NameAt(int index);

    /// <summary>The value of a field.</summary>
    ReadOnlySpan<byte> ValueAt(int index);
}
