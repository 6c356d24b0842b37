namespace Strata.Server.Clients.Waiting;

/// <summary>Whose turn it is to put a question to all workers whose answers take long and are large: one client's at a
/// time, in the order in which they asked. Many at once would hold as many answers in memory. Any thread.</summary>
internal sealed class RoundTurns
{
    private readonly Lock _lock = new();
    private readonly Queue<(ClientWorker Worker, Action Start)> _waiting = new();
    private bool _isTaken;

    /// <summary>How many wait for their turn.</summary>
    public int Waiting
    {
        get
        {
            lock (_lock)
            {
                return _waiting.Count;
            }
        }
    }

    /// <summary>Starts when it is its turn, which may be now.</summary>
    /// <param name="worker">On whose thread, which is this one.</param>
    /// <param name="start">What is done then.</param>
    public void Begin(ClientWorker worker, Action start)
    {
        lock (_lock)
        {
            if (_isTaken)
            {
                _waiting.Enqueue((worker, start));
                return;
            }

            _isTaken = true;
        }

        start();
    }

    /// <summary>The turn is over.</summary>
    public void End()
    {
        (ClientWorker Worker, Action Start) next;
        lock (_lock)
        {
            if (!_waiting.TryDequeue(out next))
            {
                _isTaken = false;
                return;
            }
        }

        next.Worker.Post(next.Start);
    }
}
