using Microsoft.Extensions.Hosting;
using Strata.Storage.Memory;

namespace Strata.Server.Hosting;

/// <summary>Looks each second whether the C library keeps memory that was freed, and has it give that back. Not on a
/// worker: it may take a millisecond or two.</summary>
internal sealed class SystemHeapService : IHostedService, IDisposable
{
    private static readonly TimeSpan s_period = TimeSpan.FromSeconds(1);

    private readonly SystemHeap _heap = new();
    private Timer? _timer;

    /// <inheritdoc/>
    public Task StartAsync(CancellationToken cancellationToken)
    {
        _timer = new Timer(_ => _heap.TryTrim(), state: null, s_period, s_period);
        return Task.CompletedTask;
    }

    /// <inheritdoc/>
    public Task StopAsync(CancellationToken cancellationToken)
    {
        _ = _timer?.Change(Timeout.Infinite, Timeout.Infinite);
        return Task.CompletedTask;
    }

    /// <inheritdoc/>
    public void Dispose() => _timer?.Dispose();
}
