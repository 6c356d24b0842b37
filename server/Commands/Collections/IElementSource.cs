using Strata.Server.Resp;
using Strata.Storage.Collections;

namespace Strata.Server.Commands.Collections;

/// <summary>
/// A hash, set or sorted set as the commands see it that treat all three alike (<see cref="ElementScan"/>, <see
/// cref="RandomDraw"/>). An element is named by a number: the address of its block where there is a table, otherwise
/// whatever the source likes (an offset, an index). It is good until the collection changes.
/// </summary>
internal unsafe interface IElementSource
{
    /// <summary>Elements.</summary>
    long Count { get; }

    /// <summary>Bytes of a large collection; 0 of others.</summary>
    long LargeBytes { get; }

    /// <summary>The table of the elements; null where they are packed.</summary>
    ElementTable* Table { get; }

    /// <summary>Goes on to the next element of a packed collection.</summary>
    /// <param name="position">0 before the first one; the source's own afterwards.</param>
    /// <param name="element">The element.</param>
    /// <returns>False at the end.</returns>
    bool TryNext(ref int position, out nint element);

    /// <summary>Whether an element of the table is there for whoever looks: not so a field that has expired.</summary>
    bool IsLive(nint element);

    /// <summary>The field or member; good until the next call.</summary>
    ReadOnlySpan<byte> NameOf(nint element);

    /// <summary>Answers the field or member.</summary>
    void WriteName(ReplyWriter reply, nint element);

    /// <summary>Answers the value or score. Not called for sets.</summary>
    void WriteValue(ReplyWriter reply, nint element);
}
