using Strata.Storage.Index;
using Strata.Storage.Runtime;

namespace Strata.Storage.Interests;

/// <summary>
/// A key that a command which goes on in steps holds until its end: commands that may change it wait. What cannot wait
/// (a script that did not name the key, eviction, a time that has come) changes it all the same, and that is noted.
/// </summary>
public class HeldKey : KeyInterest
{
    private readonly KeyHold _hold;
    private List<TurnFollower>? _followers;

    /// <summary>A key that is not held yet.</summary>
    /// <param name="key">The key.</param>
    /// <param name="holder">Whose command holds it.</param>
    /// <param name="owner">The holder's worker.</param>
    /// <param name="hold">What is told of changes.</param>
    public HeldKey(in Key key, object holder, Worker owner, KeyHold hold)
        : base(key, owner)
    {
        Holder = holder;
        _hold = hold;
    }

    /// <summary>Whose command holds it.</summary>
    public object Holder { get; }

    /// <summary>Whether somebody waits for the key. The lease must be held.</summary>
    public bool IsAwaited => _followers != null;

    /// <summary>Whether it was told that the key was changed, or exchanged for another of its name, since it is held.
    /// The lease must be held.</summary>
    internal bool WasTold { get; private set; }

    /// <summary>Holds the key from here on. The lease must be held.</summary>
    public void Enter(KeyWaits waits) => EnterInto(waits);

    /// <summary>Is followed until the key is held no longer. The lease must be held.</summary>
    public void Follow(TurnFollower follower)
    {
        follower.OnLeftWith();
        (_followers ??= []).Add(follower);
    }

    /// <summary>The key is about to be changed.</summary>
    internal void OnChange()
    {
        WasTold = true;
        _hold.OnChange();
    }

    /// <inheritdoc/>
    private protected override void OnLeft(KeyInterests interests)
    {
        foreach (var follower in _followers ?? [])
        {
            follower.OnGivenBack();
        }

        _followers = null;
    }
}
