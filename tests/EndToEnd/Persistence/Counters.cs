using Strata.Tests.Support;

namespace Strata.Tests.EndToEnd.Persistence;

/// <summary>Clients that each count a key of their own up, <c>counter-0</c> and so on.</summary>
internal sealed class Counters : IDisposable
{
    private readonly long[] _counts;
    private readonly Thread[] _threads;
    private volatile bool _isStopping;
    private Exception? _failure;

    public Counters(ServerProcess server, int clients)
    {
        _counts = new long[clients];
        _threads = [.. Enumerable.Range(0, clients).Select(client => new Thread(() => Run(server, client)))];
        foreach (var thread in _threads)
        {
            thread.Start();
        }
    }

    /// <summary>Waits until each has counted on.</summary>
    public void AwaitMore()
    {
        long[] before = [.. _counts];
        Patience.Await(() => _failure != null
            || before.Zip(_counts).All(pair => pair.Second >= pair.First + 10));
        ThrowIfFailed();
    }

    /// <summary>Ends them.</summary>
    /// <returns>How far each was told that it is.</returns>
    public long[] End()
    {
        _isStopping = true;
        foreach (var thread in _threads)
        {
            thread.Join();
        }

        ThrowIfFailed();
        return _counts;
    }

    public void Dispose()
    {
        _isStopping = true;
        foreach (var thread in _threads)
        {
            thread.Join();
        }
    }

    private void ThrowIfFailed()
    {
        if (_failure != null)
        {
            throw new InvalidOperationException("A client has failed", _failure);
        }
    }

    private void Run(ServerProcess server, int client)
    {
        try
        {
            using var connection = server.Connect();
            while (!_isStopping)
            {
                Volatile.Write(ref _counts[client], connection.Call("INCR", $"counter-{client}").Integer);
            }
        }
        catch (Exception exception)
        {
            _failure = exception;
        }
    }
}
