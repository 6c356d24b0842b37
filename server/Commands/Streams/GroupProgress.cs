using Strata.Storage.Collections.Streams;

namespace Strata.Server.Commands.Streams;

/// <summary>How many of a stream's entries a group has read, and how many it has not, as far as they can be told:
/// deleted
/// entries leave no number behind them.</summary>
internal static class GroupProgress
{
    /// <summary>A number that is not known.</summary>
    public const long Unknown = -1;

    /// <summary>How many entries a group has yet to read, if it can be told; fewer than none where a client has said
    /// that
    /// it has read more than were ever added.</summary>
    public static bool TryLag(in StreamView stream, StreamGroup group, out long lag)
    {
        lag = 0;
        if (stream.EntriesAdded == 0)
        {
            return true;
        }

        var read = group.EntriesRead != Unknown && !HasDeletedFrom(stream, group.LastId)
            ? group.EntriesRead
            : ReadAt(stream, group.LastId);
        lag = stream.EntriesAdded - read;
        return read != Unknown;
    }

    /// <summary>How many entries a group has read with the next one.</summary>
    /// <param name="stream">The stream.</param>
    /// <param name="read">How many it had read.</param>
    /// <param name="id">The next one.</param>
    public static long Advance(in StreamView stream, long read, StreamId id)
        => read != Unknown && !HasDeletedFrom(stream, id) ? read + (read < long.MaxValue ? 1 : 0)
            : stream.EntriesAdded != 0 ? ReadAt(stream, id)
            : read;

    /// <summary>Whether an entry was deleted from an id on, by which numbers are not known any more.</summary>
    private static bool HasDeletedFrom(in StreamView stream, StreamId id)
        => stream.Count > 0 && !stream.MaxDeletedId.IsZero && stream.FirstId <= stream.MaxDeletedId
            && id <= stream.MaxDeletedId;

    /// <summary>How many entries were ever added up to an id: it is known of the last, and of the first where none was
    /// deleted behind it.</summary>
    private static long ReadAt(in StreamView stream, StreamId id)
    {
        if (stream.EntriesAdded == 0)
        {
            return 0;
        }

        if (id == stream.LastId || (stream.Count == 0 && id < stream.LastId))
        {
            return stream.EntriesAdded;
        }

        if (id > stream.LastId || (!stream.MaxDeletedId.IsZero && stream.MaxDeletedId >= stream.FirstId))
        {
            return Unknown;
        }

        var gone = stream.EntriesAdded - stream.Count;
        return id < stream.FirstId ? gone : id == stream.FirstId ? gone + 1 : Unknown;
    }
}
