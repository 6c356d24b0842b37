using Strata.Server.Clients.Waiting;
using Strata.Server.Resp;
using Strata.Storage.Memory;

namespace Strata.Server.Clients.Transactions;

/// <summary>
/// The replies of a transaction from its first command on that needs the answers of all workers. Leases are not held
/// while those are waited for: the other commands are executed to the end, their replies kept here, and the questions
/// put to the workers one after the other, each answer going between the replies where it belongs.
/// </summary>
internal sealed class HeldReplies : IDisposable
{
    private readonly Queue<(IWorkerRound Round, int Position)> _rounds = new();
    private int _sent;

    public HeldReplies(ClientWorker worker, int protocol)
    {
        Reply = worker.CreateReply(protocol);
    }

    /// <summary>Where replies are kept.</summary>
    public ReplyWriter Reply { get; }

    /// <summary>Keeps a question, whose answer comes behind all that is kept by now.</summary>
    public void Add(IWorkerRound round) => _rounds.Enqueue((round, Reply.Length));

    /// <summary>Copies the replies up to the next question, and puts that.</summary>
    /// <returns>False when there are no more: all replies were copied.</returns>
    /// <exception cref="MemoryExhaustedException">There is no memory to copy them.</exception>
    public bool TryGoOn(ReplyWriter output, ClientWorker worker)
    {
        Reply.CountErrors();
        var more = _rounds.TryDequeue(out var next);
        var end = more ? next.Position : Reply.Length;
        ReplyAllowance.AskForCopy(
            worker.Budget, end - _sent, "there is no memory for the transaction's replies");
        output.Copy(Reply, _sent, end - _sent);
        _sent = end;
        if (more)
        {
            next.Round.Start(worker);
        }

        return more;
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        Reply.Clear();
        Reply.Dispose();
    }
}
