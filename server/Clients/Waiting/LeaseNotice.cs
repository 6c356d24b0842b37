using Strata.Storage.Leases;
using Strata.Storage.Runtime;

namespace Strata.Server.Clients.Waiting;

/// <summary>Left in the queue of a taken lease by a command that needs several: it returns when the lease is given
/// back, and the command is tried again.</summary>
internal sealed class LeaseNotice : ShardWork
{
    private readonly WaitingClient _session;
    private readonly Worker _owner;

    public LeaseNotice(WaitingClient session, Worker owner)
    {
        _session = session;
        _owner = owner;
    }

    /// <inheritdoc/>
    public override Worker Owner => _owner;

    /// <inheritdoc/>
    public override void Execute()
    {
        // Being taken from the queue is the notice.
    }

    /// <inheritdoc/>
    public override void Run(Worker worker) => _session.OnWaitEnded();
}
