namespace Strata.Storage.Collections.Streams;

/// <summary>Goes over consumers in the order of their names; good until a consumer comes or goes.</summary>
public struct ConsumerCursor
{
    private NamePlace _place;

    internal ConsumerCursor(NamePlace place)
    {
        _place = place;
    }

    /// <summary>Gives the next one.</summary>
    public unsafe bool TryNext(out StreamConsumer consumer)
    {
        if (_place.IsNone)
        {
            consumer = default;
            return false;
        }

        consumer = new StreamConsumer(ConsumerBlock.Of(_place.Named));
        _place.MoveNext();
        return true;
    }
}
