namespace Strata.Storage.Collections;

/// <summary>How much of long work over a collection is done, as a step counts it: elements, of which each 128 bytes
/// count for another.</summary>
public static class StepEffort
{
    // Bytes that are copied in about the time an element takes by itself.
    private const int BytesPerUnit = 128;

    /// <summary>What an element of <paramref name="bytes"/> takes of a step: one, and more if it is long.</summary>
    public static int Of(long bytes) => 1 + (int)(bytes / BytesPerUnit);

    /// <summary>What some elements of a collection take.</summary>
    /// <param name="elements">How many of its elements.</param>
    /// <param name="count">Elements of the collection.</param>
    /// <param name="bytes">Bytes of all of these.</param>
    public static long Of(long elements, long count, long bytes)
        => elements + (long)((double)bytes / Math.Max(1, count) * elements / BytesPerUnit);
}
