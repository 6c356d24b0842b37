using Strata.Storage.Runtime;

namespace Strata.Storage.Interests;

/// <summary>
/// Who goes on when all those have had their turn whom it follows, who wait for keys and came before. It is left with
/// them under the leases of their keys' shards, by whatever thread holds these, and is posted to its owner when the
/// last of them has given it back.
/// </summary>
/// <param name="owner">The worker it goes on on.</param>
public abstract class TurnFollower(Worker owner) : WorkItem
{
    private int _turns;

    /// <summary>Whether somebody it follows has not had their turn yet.</summary>
    public bool IsFollowing => Volatile.Read(ref _turns) > 0;

    /// <summary>Whether it follows on whoever has their turn next because of somebody it follows: who waited behind
    /// them, and who waits for what they have moved on.</summary>
    public abstract bool FollowsOn { get; }

    /// <summary>It is left with somebody.</summary>
    internal void OnLeftWith() => Interlocked.Increment(ref _turns);

    /// <summary>The worker it goes on on.</summary>
    internal Worker Home => owner;

    /// <summary>Somebody has given it back.</summary>
    internal void OnGivenBack()
    {
        if (IsGivenBackByAll())
        {
            GoOn();
        }
    }

    /// <summary>Notes that somebody has given it back.</summary>
    /// <returns>Whether that was the last one.</returns>
    private protected bool IsGivenBackByAll() => Interlocked.Decrement(ref _turns) == 0;

    /// <summary>All have had their turn that it follows. On the last one's thread.</summary>
    private protected virtual void GoOn() => owner.PostOnce(this);
}
