using System.Net.Sockets;
using Strata.Tests.Support;

namespace Strata.Tests.EndToEnd.Persistence;

/// <summary>Has a server rewrite its append-only file again and again, until this is disposed of or the server has
/// gone.</summary>
internal sealed class RepeatedRewrites : IDisposable
{
    private readonly ServerProcess _server;
    private readonly Thread _thread;
    private volatile bool _isStopping;
    private Exception? _failure;

    public RepeatedRewrites(ServerProcess server)
    {
        _server = server;
        _thread = new Thread(Run);
        _thread.Start();
    }

    /// <summary>Waits for the end of what it is at.</summary>
    public void Dispose()
    {
        _isStopping = true;
        _thread.Join();
        if (_failure != null)
        {
            throw new InvalidOperationException("The rewrites failed", _failure);
        }
    }

    private void Run()
    {
        try
        {
            using var connection = _server.Connect();
            while (!_isStopping)
            {
                AofRewrites.Do(connection);
            }
        }
        catch (Exception exception) when (exception is SocketException or EndOfStreamException)
        {
            _failure = SpinWait.SpinUntil(() => _server.HasExited, Patience.Ms) ? null : exception;
        }
        catch (Exception exception)
        {
            _failure = exception;
        }
    }
}
