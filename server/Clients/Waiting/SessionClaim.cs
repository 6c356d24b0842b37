using Strata.Storage.Leases;
using Strata.Storage.Runtime;

namespace Strata.Server.Clients.Waiting;

/// <summary>The claim of a session's command to leases that are reserved for it: the session goes on when one of them
/// has been given back.</summary>
internal sealed class SessionClaim(LeaseReservation reservation, Worker owner) : LeaseClaim(reservation, owner)
{
    private WaitingClient? _waiting;

    /// <summary>Lets the session wait.</summary>
    public void Await(WaitingClient session) => _waiting = session;

    /// <inheritdoc/>
    public override void Run(Worker worker)
    {
        // Several leases may have been given back, or one after all were had.
        var session = _waiting;
        _waiting = null;
        session?.OnWaitEnded();
    }
}
