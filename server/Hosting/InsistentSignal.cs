using System.Runtime.InteropServices;

namespace Strata.Server.Hosting;

/// <summary>SIGINT of someone who has asked for the end already, by it or by SIGTERM: the process ends at once, as
/// Redis's. The first signal waits for scripts, which may never end.</summary>
internal sealed class InsistentSignal : IDisposable
{
    private readonly PosixSignalRegistration _terminate;
    private readonly PosixSignalRegistration _interrupt;
    private readonly Action _end;
    private int _isAsked;

    private InsistentSignal(Action end)
    {
        _end = end;
        _terminate = PosixSignalRegistration.Create(PosixSignal.SIGTERM, OnSignal);
        _interrupt = PosixSignalRegistration.Create(PosixSignal.SIGINT, OnSignal);
    }

    /// <summary>Listens from now on.</summary>
    /// <param name="end">Ends the process; on another thread.</param>
    /// <returns>Ends that when it is disposed of.</returns>
    public static InsistentSignal Listen(Action end) => new(end);

    /// <inheritdoc/>
    public void Dispose()
    {
        _terminate.Dispose();
        _interrupt.Dispose();
    }

    private void OnSignal(PosixSignalContext context)
    {
        context.Cancel = true; // The host ends the process in order.
        if (Interlocked.Exchange(ref _isAsked, 1) == 1 && context.Signal == PosixSignal.SIGINT)
        {
            _end();
        }
    }
}
