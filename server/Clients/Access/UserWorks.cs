using Strata.Storage.Runtime;

namespace Strata.Server.Clients.Access;

/// <summary>
/// What takes long with users, or waits for the disk: done beside the workers, one piece after the other in the order
/// in which they were begun, on a thread that is there while there are some. Each piece is a client's, who waits for
/// it, and has asked for its memory: so their number and what they hold are bounded. Any thread.
/// </summary>
/// <param name="platform">Where there are no threads, all is done at once.</param>
internal sealed class UserWorks(Platform platform) : IDisposable
{
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(2);

    private readonly Lock _lock = new();
    private readonly Queue<Action> _waiting = new();
    private DedicatedThread? _thread;
    private bool _isAtWork;
    private bool _isStopping;

    /// <summary>Has a piece done, some time soon.</summary>
    /// <param name="work">The piece, which lets no exception out.</param>
    public void Begin(Action work)
    {
        if (!platform.HasThreads)
        {
            work();
            return;
        }

        lock (_lock)
        {
            _waiting.Enqueue(work);
            if (_isAtWork)
            {
                return;
            }

            _isAtWork = true;
            _thread = new DedicatedThread("users", Run);
            _thread.Start();
        }
    }

    /// <summary>Waits for the piece at work, unless its disk hangs: files are left whole all the same. What has not
    /// begun is not done any more.</summary>
    public void Dispose()
    {
        DedicatedThread? thread;
        lock (_lock)
        {
            _isStopping = true;
            thread = _thread;
        }

        _ = thread?.Join(s_patience);
    }

    private void Run()
    {
        // Not behind the workers (nice(1)), for all that: the collector waits for every thread, and so would they.
        while (TryTake(out var work))
        {
            work!();
        }
    }

    private bool TryTake(out Action? work)
    {
        lock (_lock)
        {
            work = null;
            _isAtWork = !_isStopping && _waiting.TryDequeue(out work);
            return _isAtWork;
        }
    }
}
