using Strata.Server.Resp;
using Strata.Storage.Collections;
using Strata.Storage.Collections.Streams;

namespace Strata.Server.Commands.Streams;

/// <summary>Streams' ids and entries in replies.</summary>
internal static class StreamReply
{
    // An entry's array, its id, and the array of its fields.
    private const int EntryParts = 4;
    private const int BytesOfHeader = 12;

    /// <summary>An id, a bulk string.</summary>
    public static void Id(ReplyWriter reply, StreamId id)
    {
        Span<byte> text = stackalloc byte[StreamIdText.MaxBytes];
        reply.Bulk(text[..StreamIdText.Format(id, text)]);
    }

    /// <summary>The entry at a cursor: its id, and its fields' names and values.</summary>
    public static void Entry(ReplyWriter reply, ref StreamCursor cursor)
    {
        reply.Array(2);
        Id(reply, cursor.Id);
        reply.Array(2L * cursor.FieldCount);
        while (cursor.TryNextField(out var name, out var value))
        {
            reply.Bulk(name);
            reply.Bulk(value);
        }
    }

    /// <summary>What the entry at a cursor takes of a reply, bytes, about.</summary>
    public static long BytesOf(in StreamCursor cursor)
        => cursor.EntryBytes + ((EntryParts + (2L * cursor.FieldCount)) * BytesOfHeader);

    /// <summary>What an entry takes of a step, about.</summary>
    public static long EffortOfEntry(in StreamView stream) => StepEffort.Of(1, stream.Count, stream.EntryBytes);

    /// <summary>An array of the entries that a cursor meets.</summary>
    /// <param name="reply">Where it goes.</param>
    /// <param name="cursor">Before the first.</param>
    /// <param name="most">The most there may be; 0 for any number.</param>
    public static void Entries(ReplyWriter reply, ref StreamCursor cursor, long most)
    {
        var start = reply.Length;
        var count = 0L;
        while ((most == 0 || count < most) && cursor.TryNext())
        {
            Entry(reply, ref cursor);
            count++;
        }

        Head(reply, start, count);
    }

    /// <summary>Puts an array's header before its elements.</summary>
    /// <param name="reply">Where it goes.</param>
    /// <param name="start">The length of the reply before the first of them.</param>
    /// <param name="count">How many they are.</param>
    public static void Head(ReplyWriter reply, int start, long count)
    {
        var end = reply.Length;
        reply.Array(count);
        reply.MoveForward(start, end);
    }

    /// <summary>Puts the header of a map before its pairs; in RESP2 it is an array of arrays of two.</summary>
    public static void HeadOfMap(ReplyWriter reply, int start, long pairs)
    {
        var end = reply.Length;
        Map(reply, pairs);
        reply.MoveForward(start, end);
    }

    /// <summary>The header of a map whose pairs are arrays in RESP2.</summary>
    public static void Map(ReplyWriter reply, long pairs)
    {
        if (reply.Protocol == 3)
        {
            reply.Map(pairs);
        }
        else
        {
            reply.Array(pairs);
        }
    }
}
