using Strata.Server.Clients;
using Strata.Server.Persistence;
using Strata.Server.Resp;

namespace Strata.Server.Commands.Server;

/// <summary>A client that waits for the end of a snapshot, and is answered then.</summary>
internal sealed class AwaitedSnapshot : ISnapshotEnd
{
    private readonly Session _session;
    private readonly Action<ReplyWriter, SnapshotOutcome> _answer;

    /// <summary>Lets a client wait, whose handler must not have replied, and must return.</summary>
    /// <param name="session">The client.</param>
    /// <param name="answer">Writes the reply, on the client's worker.</param>
    public AwaitedSnapshot(Session session, Action<ReplyWriter, SnapshotOutcome> answer)
    {
        _session = session;
        _answer = answer;
        session.AwaitAnswer();
    }

    /// <inheritdoc/>
    public void OnEnded(SnapshotOutcome outcome)
        => _session.Worker.Post(() => _session.Answer(reply => _answer(reply, outcome)));
}
