using Strata.Storage.Runtime;

namespace Strata.Storage.Interests;

/// <summary>Several followers as one, which go on when all have had their turn whom this one follows, beside what each
/// follows by itself. In a chain of waiters, each of which lets its followers follow the next one, they are handed on
/// so: else the last would have those of all before it.</summary>
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
