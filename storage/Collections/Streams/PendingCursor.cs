namespace Strata.Storage.Collections.Streams;

/// <summary>Goes over what is pending in the order of ids, of a group or of one of its consumers; good until an entry
/// becomes pending, or ceases to be.</summary>
public unsafe struct PendingCursor
{
    private readonly GroupBlock* _group;
    private readonly ConsumerBlock* _consumer;
    private IdPlace _place;

    internal PendingCursor(GroupBlock* group, ConsumerBlock* consumer, IdPlace place)
    {
        _group = group;
        _consumer = consumer;
        _place = place;
    }

    /// <summary>Gives the next one.</summary>
    public bool TryNext(out PendingEntry entry)
    {
        if (_place.IsNone)
        {
            entry = default;
            return false;
        }

        var id = _place.Id;
        var words = _consumer == null ? _place.Words : _group->Pending.Find(id);
        entry = StreamGroup.EntryOf(id, words);
        _place.MoveNext();
        return true;
    }
}
