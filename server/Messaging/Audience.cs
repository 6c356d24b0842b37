namespace Strata.Server.Messaging;

/// <summary>Those who are to receive a message, on the way to be found (<see cref="MessageHub.TryFind"/>). One thread
/// at a time.</summary>
internal sealed class Audience
{
    /// <summary>The patterns that were not looked at yet.</summary>
    public PatternWalk Walk;

    /// <summary>How many there are by now.</summary>
    public long Receivers;

    /// <summary>Nobody.</summary>
    /// <param name="hub">Whose patterns are looked at.</param>
    /// <param name="workers">How many workers may have some.</param>
    public Audience(MessageHub hub, int workers)
    {
        Walk = new PatternWalk(hub.Patterns);
        Receiving = new bool[workers];
    }

    /// <summary>Which workers have some, by their numbers.</summary>
    public bool[] Receiving { get; }
}
