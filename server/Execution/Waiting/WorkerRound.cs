using Strata.Server.Clients;
using Strata.Server.Commands.Model;
using Strata.Server.Resp;
using Strata.Storage.Runtime;

namespace Strata.Server.Execution.Waiting;

/// <summary>
/// One question put to every worker, each of which answers it on its own thread; when all have, the asking session's
/// worker gets the answers and the session goes on. See <see cref="Session.AskWorkers"/>.
/// </summary>
/// <typeparam name="T">What a worker answers.</typeparam>
internal sealed class WorkerRound<T> : WorkItem, IWorkerRound
{
    private readonly Session _session;
    private readonly StrataServer _server;
    private readonly Func<ServerWorker, T> _ask;
    private readonly Action<ReplyWriter, IReadOnlyList<T>> _answer;
    private readonly T[] _answers;
    private int _missing;
    private Exception? _failure;

    public WorkerRound(
        Session session,
        StrataServer server,
        Func<ServerWorker, T> ask,
        Action<ReplyWriter, IReadOnlyList<T>> answer)
    {
        _session = session;
        _server = server;
        _ask = ask;
        _answer = answer;
        _answers = new T[server.WorkerCount];
        _missing = server.WorkerCount;
    }

    /// <summary>Asks the asking session's own worker here and now, the others through their inboxes.</summary>
    public void Start(ServerWorker own)
    {
        foreach (var worker in _server.Workers)
        {
            if (worker != own)
            {
                worker.Worker.Post(new WorkerAction(worker, Ask));
            }
        }

        Ask(own);
    }

    /// <summary>All have answered; on the asking session's worker.</summary>
    public override void Run(Worker worker) => _session.Answer(Write);

    private void Ask(ServerWorker worker)
    {
        try
        {
            _answers[worker.Number] = _ask(worker);
        }
        catch (Exception exception)
        {
            // A programmer's error; the session must not wait for ever because of it.
            _failure = exception;
        }

        if (Interlocked.Decrement(ref _missing) == 0)
        {
            _session.Worker.Worker.Post(this);
        }
    }

    private void Write(ReplyWriter reply)
    {
        var start = reply.Length;
        try
        {
            if (_failure == null)
            {
                _answer(reply, _answers);
                return;
            }
        }
        catch (Exception exception)
        {
            _failure = exception;
        }

        reply.Rewind(start);
        reply.Error(Errors.Internal);
        _server.Log.CommandFailed(_session.LastCommand?.FullName ?? "?", _failure);
    }
}
