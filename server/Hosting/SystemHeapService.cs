using Microsoft.Extensions.Hosting;
using Strata.Server.Lifecycle;
using Strata.Storage.Memory;

namespace Strata.Server.Hosting;

/// <summary>Looks each second whether the C library keeps memory that was freed, and has it give that back; and more
/// often, what the process holds beyond what is charged. Not on a worker: it may take a millisecond or two.</summary>
internal sealed class SystemHeapService : IHostedService, IDisposable
{
    private const int LooksPerTrim = 10;

    private static readonly TimeSpan s_period = TimeSpan.FromMilliseconds(100);

    private readonly SystemHeap _heap = new();
    private readonly ProcessMemory _memory;
    private readonly Timer _timer;
    private readonly Lock _lock = new();
    private bool _hasEnded;
    private int _looks;

    /// <summary>Begins before anything is held.</summary>
    /// <param name="engine">What is to hold memory.</param>
    public SystemHeapService(IServerEngine engine)
    {
        _memory = new ProcessMemory(engine.Memory, _heap);
        _timer = new Timer(_ => Look());
    }

    /// <inheritdoc/>
    public Task StartAsync(CancellationToken cancellationToken)
    {
        _memory.Begin();
        _ = _timer.Change(s_period, s_period);
        return Task.CompletedTask;
    }

    /// <inheritdoc/>
    public Task StopAsync(CancellationToken cancellationToken)
    {
        _ = _timer.Change(Timeout.Infinite, Timeout.Infinite);
        return Task.CompletedTask;
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        lock (_lock)
        {
            _hasEnded = true;
            _timer.Dispose();
            _memory.Dispose();
        }
    }

    private void Look()
    {
        if (!_lock.TryEnter())
        {
            return; // The last look takes longer than the time between two.
        }

        try
        {
            if (_hasEnded)
            {
                return;
            }

            _memory.Look();
            if (++_looks % LooksPerTrim == 0)
            {
                _ = _heap.TryTrim();
            }
        }
        finally
        {
            _lock.Exit();
        }
    }
}
