using Strata.Storage.Index;
using Strata.Storage.Log;
using Strata.Storage.Runtime;

namespace Strata.Storage.Interests;

/// <summary>
/// An interest in a key's getting a value of a type. Of those who wait for the same, the one who came first is woken,
/// and keeps its place until it leaves; then it is the next one's turn. Who is to go on after that follows it. A stream
/// may be there and have nothing new: whose turn it is there is noted when somebody is woken (<see cref="IsDue"/>).
/// </summary>
public sealed class AwaitedKey : KeyInterest
{
    private List<Following>? _followers;

    /// <summary>A key that <paramref name="waiter"/> waits for.</summary>
    public AwaitedKey(in Key key, IKeyWaiter waiter, Worker owner)
        : base(key, owner)
    {
        Waiter = waiter;
    }

    /// <summary>Who waits.</summary>
    public IKeyWaiter Waiter { get; }

    /// <summary>Of who waits for a stream: whether there may be something for them, and they have not looked yet. Under
    /// the lease.</summary>
    public bool IsDue { get; internal set; }

    /// <summary>The next one of those who are each the first of a group that waits at the key.</summary>
    internal AwaitedKey? NextHead { get; set; }

    internal AwaitedKey? PreviousHead { get; set; }

    /// <summary>Who began to wait next in the shard, for whatever key.</summary>
    internal AwaitedKey? NextByAge { get; set; }

    internal AwaitedKey? PreviousByAge { get; set; }

    /// <inheritdoc/>
    public override int SizeBytes
        => base.SizeBytes + (Waiter.Type == RecordType.Stream ? Limits.BytesPerDueWait : 0);

    /// <summary>Begins to wait, behind those who wait already. The lease must be held.</summary>
    public void Enter(KeyWaits waits) => EnterInto(waits);

    /// <summary>Wakes the waiter.</summary>
    public void Wake() => Waiter.Wake();

    /// <summary>Is followed until the waiter has had its turn, whether it took something or waits again. The lease must
    /// be held.</summary>
    public void Follow(TurnFollower follower)
    {
        // Who pushes again and again before the waiter has had its turn follows it once.
        if (_followers is not [.., { Follower: var last }] || last != follower)
        {
            follower.OnLeftWith();
            (_followers ??= []).Add(new Following(follower, Interests!.Youngest, follower.FollowsOn));
        }
    }

    /// <summary>The same, until those have had their turn, too, who wait behind the waiter by now and have theirs next.
    /// </summary>
    public void FollowAll(TurnFollower follower)
    {
        follower.OnLeftWith();
        (_followers ??= []).Add(new Following(follower, Interests!.Youngest, IsHandedOn: true));
    }

    /// <summary>Those who follow this waiter, and follow on, follow another one, too, whom it has woken: they go on
    /// when both have had their turn. The leases of both keys' shards must be held.</summary>
    public void LetFollow(AwaitedKey woken)
    {
        Combine();
        foreach (var following in _followers ?? [])
        {
            if (following.Follower.FollowsOn)
            {
                woken.Follow(following.Follower);
            }
        }
    }

    /// <summary>The waiter has had its turn: those who follow it go on. The lease must be held.</summary>
    public void EndTurn()
    {
        if (IsDue)
        {
            ((KeyWaits?)Interests)?.OnLooked(this);
            IsDue = false;
        }

        foreach (var following in _followers ?? [])
        {
            following.Follower.OnGivenBack();
        }

        _followers = null;
    }

    /// <inheritdoc/>
    private protected override void OnLeft(KeyInterests interests)
    {
        if (((KeyWaits)interests).NextAfter(this) is { } next)
        {
            next.Wake();
            PassOn(next);
        }

        EndTurn();
    }

    /// <summary>Makes one of those who follow on since the same moment, as those do whom the waiter before this one let
    /// follow it: else each waiter of a chain would take over those of all before it.</summary>
    private void Combine()
    {
        if (_followers is not { Count: > 1 } single)
        {
            return;
        }

        _followers = [];
        for (int first = 0, end; first < single.Count; first = end)
        {
            end = first + 1;
            while (end < single.Count && AreOne(single[first], single[end]))
            {
                end++;
            }

            _followers.Add(end == first + 1 ? single[first] : Combine(single.GetRange(first, end - first)));
        }
    }

    private static bool AreOne(in Following first, in Following second)
        => first.Youngest == second.Youngest && first.Follower.FollowsOn && second.Follower.FollowsOn;

    private static Following Combine(List<Following> several)
    {
        var all = new TurnFollowers(several.ConvertAll(static following => following.Follower));
        all.OnLeftWith();
        return new Following(all, several[0].Youngest, IsHandedOn: true);
    }

    /// <summary>Those who follow on follow who has their turn next at this key, if that one waited already when they
    /// came: nobody is held up by ever new ones.</summary>
    private void PassOn(AwaitedKey next)
    {
        foreach (var following in _followers ?? [])
        {
            if (following.IsHandedOn && next.Number <= following.Youngest)
            {
                following.Follower.OnLeftWith();
                (next._followers ??= []).Add(following);
            }
        }
    }

    /// <summary>Who follows, the number of the youngest interest at that time, and whether who follows is handed on to
    /// who has their turn next.</summary>
    private readonly record struct Following(TurnFollower Follower, long Youngest, bool IsHandedOn);
}
