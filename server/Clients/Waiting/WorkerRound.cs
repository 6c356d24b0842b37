using Strata.Server.Commands.Model;
using Strata.Server.Resp;
using Strata.Storage.Memory;
using Strata.Storage.Runtime;

namespace Strata.Server.Clients.Waiting;

/// <summary>
/// One question put to every worker, each of which answers it on its own thread; when all have, the asking session's
/// worker gets the answers and the session goes on. See
/// <see cref="Session.AskWorkers{T}(Func{ClientWorker, T}, Action{ReplyWriter, IReadOnlyList{T}})"/>.
/// </summary>
/// <typeparam name="T">What a worker answers.</typeparam>
internal sealed class WorkerRound<T> : WorkItem, IWorkerRound
{
    private readonly Session _session;
    private readonly ServerServices _services;
    private readonly Func<ClientWorker, T> _ask;
    private readonly Func<T, bool>? _goOn;
    private readonly Action<ReplyWriter, IReadOnlyList<T>> _answer;
    private readonly T[] _answers;
    private int _missing;
    private Exception? _failure;

    public WorkerRound(
        Session session,
        ServerServices services,
        Func<ClientWorker, T> ask,
        Func<T, bool>? goOn,
        Action<ReplyWriter, IReadOnlyList<T>> answer)
    {
        _session = session;
        _services = services;
        _ask = ask;
        _goOn = goOn;
        _answer = answer;
        _answers = new T[services.Workers.Count];
        _missing = services.Workers.Count;
    }

    /// <summary>Asks the asking session's own worker here and now, the others through their inboxes; where the answers
    /// are made in steps, when those of others are done.</summary>
    public void Start(ClientWorker own)
    {
        if (_goOn == null)
        {
            AskAll(own);
        }
        else
        {
            _services.Rounds.Begin(own, () => AskAll(own));
        }
    }

    /// <summary>All have answered; on the asking session's worker.</summary>
    public override void Run(Worker worker)
    {
        try
        {
            _session.Answer(Write);
        }
        finally
        {
            foreach (var answer in _answers)
            {
                (answer as IDisposable)?.Dispose();
            }

            if (_goOn != null)
            {
                _services.Rounds.End();
            }
        }
    }

    private void AskAll(ClientWorker own)
    {
        foreach (var worker in _services.Workers)
        {
            if (worker != own)
            {
                worker.Post(() => Ask(worker));
            }
        }

        Ask(own);
    }

    private void Ask(ClientWorker worker)
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

        GoOn(worker);
    }

    private void GoOn(ClientWorker worker)
    {
        try
        {
            if (_goOn != null && _failure == null && _goOn(_answers[worker.Number]))
            {
                worker.PostStep(() => GoOn(worker));
                return;
            }
        }
        catch (Exception exception)
        {
            _failure = exception; // There is no memory for it, or it is a programmer's error.
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
                using var refusable = reply.Refusable();
                _answer(reply, _answers);
                return;
            }
        }
        catch (NoRoomException exception)
        {
            _failure = exception;
        }
        catch (Exception exception) when (exception is not (OutOfMemoryException or MemoryExhaustedException))
        {
            _failure = exception;
        }

        reply.Rewind(start);
        if (_failure is MemoryExhaustedException)
        {
            reply.Error("OOM " + _failure.Message);
            return;
        }

        reply.Error(Errors.Internal);
        _services.Context.Log.CommandFailed(_session.LastCommand?.FullName ?? "?", _failure);
    }
}
