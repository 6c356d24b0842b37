using Strata.Storage.Interests;
using Strata.Storage.Runtime;

namespace Strata.Server.Clients.Waiting;

/// <summary>
/// Left by a session with clients that wait for keys: with those whom its commands have woken, and with who came before
/// one of its commands. It returns when all of them have had their turn, and all whom these have woken; until then the
/// session executes nothing. Belongs to the session's worker; only its return is posted by others.
/// </summary>
internal sealed class TurnNotice(WaitingClient session) : TurnFollower(session.Worker.Worker)
{
    private bool _isAwaited;

    /// <inheritdoc/>
    public override bool FollowsOn => true;

    /// <summary>The session waits for the notice, if it has not returned.</summary>
    /// <returns>False when it has.</returns>
    public bool TryAwait() => _isAwaited = IsFollowing;

    /// <inheritdoc/>
    public override void Run(Worker worker)
    {
        if (_isAwaited && !IsFollowing)
        {
            _isAwaited = false;
            session.OnTurn();
        }
    }
}
