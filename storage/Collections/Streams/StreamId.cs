using System.Runtime.CompilerServices;

namespace Strata.Storage.Collections.Streams;

/// <summary>The id of a stream's entry, a number of 128 bits.</summary>
/// <param name="Ms">Its upper half: milliseconds since 1970, unless a client chose another.</param>
/// <param name="Seq">Its lower half: a number among those of the same millisecond.</param>
public readonly record struct StreamId(ulong Ms, ulong Seq) : IComparable<StreamId>
{
    /// <summary>The lowest id, which no entry has.</summary>
    public static StreamId Min => default;

    /// <summary>The highest id.</summary>
    public static StreamId Max => new(ulong.MaxValue, ulong.MaxValue);

    /// <summary>Whether both halves are 0.</summary>
    public bool IsZero => (Ms | Seq) == 0;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool operator <(StreamId left, StreamId right)
        => left.Ms < right.Ms || (left.Ms == right.Ms && left.Seq < right.Seq);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool operator >(StreamId left, StreamId right) => right < left;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool operator <=(StreamId left, StreamId right) => !(right < left);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool operator >=(StreamId left, StreamId right) => !(left < right);

    /// <inheritdoc/>
    public int CompareTo(StreamId other) => this < other ? -1 : other < this ? 1 : 0;

    /// <summary>The next higher id, if there is one.</summary>
    public bool TryNext(out StreamId next)
    {
        var isThere = this != Max; // What is written next may be this id itself.
        next = Seq == ulong.MaxValue ? new StreamId(Ms + 1, 0) : new StreamId(Ms, Seq + 1);
        return isThere;
    }

    /// <summary>The next lower id, if there is one.</summary>
    public bool TryPrevious(out StreamId previous)
    {
        var isThere = !IsZero;
        previous = Seq == 0 ? new StreamId(Ms - 1, ulong.MaxValue) : new StreamId(Ms, Seq - 1);
        return isThere;
    }
}
