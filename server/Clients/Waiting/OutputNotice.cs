using Strata.Storage.Runtime;

namespace Strata.Server.Clients.Waiting;

/// <summary>Lets a session go on that waited until its client had read: not within whatever finds that out, which may
/// be another client's command that closes this one.</summary>
internal sealed class OutputNotice(Session session) : WorkItem
{
    /// <inheritdoc/>
    public override void Run(Worker worker) => session.OnWaitEnded();
}
