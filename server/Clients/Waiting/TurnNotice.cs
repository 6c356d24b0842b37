using Strata.Storage.Interests;
using Strata.Storage.Runtime;

namespace Strata.Server.Clients.Waiting;

/// <summary>
/// Left with a client that waits for a key by a session whose command came later: it returns when that client has had
/// its turn, and the session tries again. Belongs to the session's worker; only its return is posted by others.
/// </summary>
internal sealed class TurnNotice : WorkItem
{
    private readonly Session _session;
    private bool _isLeft;
    private bool _isAwaited;

    public TurnNotice(Session session)
    {
        _session = session;
    }

    /// <summary>Leaves the notice, unless it is on its way already: whoever has it is woken and will give it back. The
    /// lease of the key's shard must be held.</summary>
    public void LeaveWith(AwaitedKey first)
    {
        if (!_isLeft)
        {
            _isLeft = true;
            first.Follow(this, _session.Worker.Worker);
        }
    }

    /// <summary>The session waits for the notice. Otherwise it found its turn sooner, and is not to be disturbed.
    /// </summary>
    public void Await() => _isAwaited = true;

    /// <inheritdoc/>
    public override void Run(Worker worker)
    {
        _isLeft = false;
        if (_isAwaited)
        {
            _isAwaited = false;
            _session.OnWaitEnded();
        }
    }
}
