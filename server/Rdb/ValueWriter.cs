using Strata.Storage.Log;

namespace Strata.Server.Rdb;

/// <summary>
/// Writes the values of one type, one at a time, each in as many steps as the caller wants. Between two steps the value
/// must not change, but its record may be moved. Used under the lease of the key's shard.
/// </summary>
internal abstract class ValueWriter
{
    // Bytes that are written in about the time an element takes by itself.
    private const int BytesPerUnit = 128;

    /// <summary>Begins with a value, of which nothing is written yet.</summary>
    /// <param name="record">The value's record.</param>
    /// <param name="compresses">Whether strings may be packed.</param>
    /// <returns>The number of the type and the form that it is written in (<see cref="RdbType"/>).</returns>
    public abstract byte Begin(in Record record, bool compresses);

    /// <summary>Goes on.</summary>
    /// <param name="record">The value's record as it is now.</param>
    /// <param name="output">Where it is written.</param>
    /// <param name="effort">About how many elements; long ones count for several.</param>
    /// <returns>Whether all of it is written.</returns>
    public abstract bool Step(in Record record, RdbOutput output, int effort);

    /// <summary>What an element of <paramref name="bytes"/> takes of a step: one, and more if it is long.</summary>
    protected static int EffortFor(long bytes) => 1 + (int)(bytes / BytesPerUnit);
}
