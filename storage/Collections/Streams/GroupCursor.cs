namespace Strata.Storage.Collections.Streams;

/// <summary>Goes over groups in the order of their names; good until a group comes or goes.</summary>
public struct GroupCursor
{
    private NamePlace _place;

    internal GroupCursor(NamePlace place)
    {
        _place = place;
    }

    /// <summary>Gives the next one.</summary>
    public unsafe bool TryNext(out StreamGroup group)
    {
        if (_place.IsNone)
        {
            group = default;
            return false;
        }

        group = new StreamGroup(GroupBlock.Of(_place.Named));
        _place.MoveNext();
        return true;
    }
}
