using Strata.Server.Resp;
using Strata.Storage.Collections.Streams;

namespace Strata.Server.Commands.Streams;

/// <summary>Finds entries of a stream by their ids, fast where these rise: then it goes on from the last one. Good
/// until an entry is added or removed.</summary>
internal struct EntrySeeker
{
    // Entries that are passed before one is looked for from the top.
    private const int MostPassed = 16;

    private StreamCursor _cursor;
    private bool _isAtEntry;

    /// <summary>Whether there is an entry of an id.</summary>
    public bool TryFind(in StreamView stream, StreamId id)
    {
        if (!_isAtEntry || _cursor.Id > id)
        {
            return TryWalk(stream, id);
        }

        for (var passed = 0; _cursor.Id < id; passed++)
        {
            if (passed == MostPassed)
            {
                return TryWalk(stream, id);
            }

            _isAtEntry = _cursor.TryNext();
            if (!_isAtEntry)
            {
                return false;
            }
        }

        return _cursor.Id == id;
    }

    /// <summary>What the entry that was found takes of a reply, bytes, about.</summary>
    public readonly long ReplyBytes => StreamReply.BytesOf(_cursor);

    /// <summary>Writes the entry that was found.</summary>
    public void Write(ReplyWriter reply)
    {
        StreamReply.Entry(reply, ref _cursor);
        _isAtEntry = _cursor.TryNext(); // Its fields are read once.
    }

    private bool TryWalk(in StreamView stream, StreamId id)
    {
        _cursor = stream.Walk(id, StreamId.Max);
        _isAtEntry = _cursor.TryNext();
        return _isAtEntry && _cursor.Id == id;
    }
}
