using System.Runtime.ExceptionServices;

namespace Strata.Tests.Simulation;

/// <summary>The thread of a worker that may wait for others in the midst of its turn. It runs only while whoever lets
/// it stands still: of all threads of a world one moves at a time, in an order that the seed decides.</summary>
internal sealed class SimulatedThread : IDisposable
{
    private const int StackBytes = 8 << 20;

    private readonly SemaphoreSlim _goes = new(0);
    private readonly SemaphoreSlim _stands = new(0);
    private readonly Thread _thread;
    private readonly Action _turn;
    private Exception? _failure;
    private bool _ends;

    /// <summary>A thread that waits to be let go.</summary>
    /// <param name="turn">The worker's turn.</param>
    public SimulatedThread(Action turn)
    {
        _turn = turn;
        _thread = new Thread(Run, StackBytes) { IsBackground = true };
        _thread.Start();
    }

    /// <summary>Whether it stands in the midst of a turn.</summary>
    public bool IsParked { get; private set; }

    /// <summary>Lets it begin a turn, or go on with the one it stands in, until that ends or waits for others.
    /// </summary>
    public void Go()
    {
        _goes.Release();
        _stands.Wait();
        if (_failure is { } failure)
        {
            _failure = null;
            ExceptionDispatchInfo.Throw(failure);
        }
    }

    /// <summary>Waits until it is let go on; on the thread itself.</summary>
    public void Park()
    {
        IsParked = true;
        _stands.Release();
        _goes.Wait();
        IsParked = false;
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _ends = true;
        _goes.Release();
        _thread.Join();
        _goes.Dispose();
        _stands.Dispose();
    }

    private void Run()
    {
        for (_goes.Wait(); !_ends; _goes.Wait())
        {
            try
            {
                _turn();
            }
            catch (Exception failure)
            {
                _failure = failure;
            }

            _stands.Release();
        }
    }
}
