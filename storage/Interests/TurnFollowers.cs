using Strata.Storage.Runtime;

namespace Strata.Storage.Interests;

/// <summary>Several followers as one: each follows, beside what it follows by itself, whomever all of them follow. In a
/// chain of waiters, where each has those follow it that follow the one before, it is made of the next one's notice and
/// of what that one's followers are already.</summary>
internal sealed class TurnFollowers : TurnFollower
{
    private readonly List<TurnFollower> _followers;

    /// <summary>Makes one of several, each of which was left with somebody for it.</summary>
    public TurnFollowers(List<TurnFollower> followers)
        : base(followers[0].Home)
    {
        _followers = followers;
    }

    /// <inheritdoc/>
    public override bool FollowsOn => true;

    /// <inheritdoc/>
    public override void Run(Worker worker) => GoOn();

    /// <inheritdoc/>
    private protected override void GoOn()
    {
        // By calls of each other they would go as deep as the chain is long.
        var free = new Stack<TurnFollowers>([this]);
        while (free.TryPop(out var next))
        {
            foreach (var follower in next._followers)
            {
                if (follower is not TurnFollowers several)
                {
                    follower.OnGivenBack();
                }
                else if (several.IsGivenBackByAll())
                {
                    free.Push(several);
                }
            }
        }
    }
}
