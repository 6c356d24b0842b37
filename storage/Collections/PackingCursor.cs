using Strata.Storage.Collections.Streams;

namespace Strata.Storage.Collections;

/// <summary>How far a large collection is packed, or a packed one made large, where that is done in several steps.
/// Begins as its default. Between two steps the collection must not change.</summary>
internal unsafe struct PackingCursor
{
    /// <summary>Elements that are done.</summary>
    public int Elements;

    /// <summary>Bytes of the packed value that are done.</summary>
    public int Offset;

    /// <summary>Of a hash, its fields' times that are done.</summary>
    public int Times;

    /// <summary>Of a collection in a table, the elements to be packed next.</summary>
    public ElementWalk Walk;

    /// <summary>Of a list or a sorted set, the block or leaf to be packed next.</summary>
    public void* Next;

    /// <summary>Of a stream, the parts to be packed next, or to be made large.</summary>
    public StreamWalk Stream;

    /// <summary>Of a stream, whether the number of its groups is written.</summary>
    public bool HasGroups;

    /// <summary>Of a stream that is made large, the group that was made last.</summary>
    public GroupBlock* Group;

    /// <summary>Of a stream that is made large, the consumer that was made last.</summary>
    public ConsumerBlock* Consumer;

    /// <summary>Whether nothing is left to be done.</summary>
    public bool IsAtEnd;
}
