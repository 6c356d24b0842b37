using System.Buffers.Binary;

namespace Strata.Server.Rdb;

/// <summary>Goes through the entries of a collection that was written as one string, of which nothing is taken on
/// trust; it may stop after any entry and go on later.</summary>
internal abstract class BlobWalk
{
    /// <summary>Where the string begins in the whole, for errors.</summary>
    private long _origin;

    /// <summary>Where the next entry begins.</summary>
    protected int At { get; set; }

    /// <summary>Stands before the first entry.</summary>
    /// <param name="blob">The string.</param>
    /// <param name="origin">Where it was read, for errors.</param>
    /// <exception cref="RdbException">It cannot be such a string.</exception>
    public void Begin(ReadOnlySpan<byte> blob, long origin)
    {
        _origin = origin;
        Begin(blob);
    }

    /// <summary>Gives the next entry.</summary>
    /// <param name="blob">The same string, wherever it is now.</param>
    /// <param name="entry">The entry.</param>
    /// <returns>False at the end.</returns>
    /// <exception cref="RdbException">It is damaged.</exception>
    public abstract bool TryNext(ReadOnlySpan<byte> blob, out BlobEntry entry);

    /// <inheritdoc cref="Begin(ReadOnlySpan{byte}, long)"/>
    protected abstract void Begin(ReadOnlySpan<byte> blob);

    /// <summary>An error of the string.</summary>
    protected RdbException Damaged(string problem)
        => new($"{Name} is damaged ({problem} at its byte {At})", _origin);

    /// <summary>What the string is called.</summary>
    protected abstract string Name { get; }

    /// <summary>Bytes from a place on, which must be there.</summary>
    protected ReadOnlySpan<byte> Slice(ReadOnlySpan<byte> blob, int start, long count)
        => count <= blob.Length - start ? blob.Slice(start, (int)count) : throw Damaged("an entry passes its end");

    /// <summary>The integer of 1, 2, 3, 4 or 8 bytes that lie at a place.</summary>
    protected long Integer(ReadOnlySpan<byte> blob, int start, int bytes)
    {
        Span<byte> all = stackalloc byte[sizeof(long)];
        all.Clear();
        Slice(blob, start, bytes).CopyTo(all[(sizeof(long) - bytes)..]);
        return BinaryPrimitives.ReadInt64LittleEndian(all) >> (8 * (sizeof(long) - bytes));
    }
}
