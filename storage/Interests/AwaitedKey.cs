using Strata.Storage.Index;
using Strata.Storage.Runtime;

namespace Strata.Storage.Interests;

/// <summary>An interest in a key's getting a value of a type. Of those who wait for the same, the one who came first is
/// woken, and keeps its place until it leaves; then it is the next one's turn.</summary>
public sealed class AwaitedKey : KeyInterest
{
    private List<(WorkItem Notice, Worker Owner)>? _followers;

    /// <summary>A key that <paramref name="waiter"/> waits for.</summary>
    public AwaitedKey(in Key key, IKeyWaiter waiter, Worker owner)
        : base(key, owner)
    {
        Waiter = waiter;
    }

    /// <summary>Who waits.</summary>
    public IKeyWaiter Waiter { get; }

    /// <summary>Begins to wait, behind those who wait already. The lease must be held.</summary>
    public void Enter(KeyWaits waits) => EnterInto(waits);

    /// <summary>Wakes the waiter.</summary>
    public void Wake() => Waiter.Wake();

    /// <summary>Leaves a notice that is posted to its owner when the waiter has had its turn, whether it took something
    /// or waits again. The lease must be held.</summary>
    public void Follow(WorkItem notice, Worker owner) => (_followers ??= []).Add((notice, owner));

    /// <summary>Posts the notices that were left. The lease must be held.</summary>
    public void EndTurn()
    {
        if (_followers == null)
        {
            return;
        }

        foreach (var (notice, owner) in _followers)
        {
            owner.PostOnce(notice);
        }

        _followers = null;
    }

    /// <inheritdoc/>
    private protected override void OnLeft(KeyInterests interests)
    {
        EndTurn();
        ((KeyWaits)interests).FirstFor(Key, Waiter.Type)?.Wake();
    }
}
