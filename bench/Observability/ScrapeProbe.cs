using System.Diagnostics;
using System.Net.Sockets;
using Strata.Bench.Kv;
using Strata.Bench.Load;

namespace Strata.Bench.Observability;

/// <summary>A client that sends one GET after the other, and knows when each was sent and answered. It is meant for
/// seconds: all of it stays in memory.</summary>
internal sealed class ScrapeProbe : IDisposable
{
    private const int MostRequests = 1 << 23;

    private readonly RespClient _client;
    private readonly Thread _thread;
    private readonly List<(long Began, long Ended)> _requests = new(MostRequests);
    private volatile bool _isStopping;
    private BenchException? _failure;

    /// <summary>Begins to ask.</summary>
    /// <exception cref="BenchException">The server cannot be reached.</exception>
    public ScrapeProbe(int port, int cpu)
    {
        _client = RespClient.Connect("127.0.0.1", port, password: null);
        _thread = new Thread(() =>
        {
            try
            {
                CpuAffinity.Pin(cpu);
                Run();
            }
            catch (Exception e) when (e is BenchException or SocketException)
            {
                _failure = new BenchException($"The server did not answer GET: {e.Message}", e);
            }
        });
        _thread.IsBackground = true;
        _thread.Start();
    }

    /// <summary>Ends, and tells of each window how long the longest of the requests took that were under way in it,
    /// milliseconds.</summary>
    /// <param name="windows">Timestamps, in order, none within another.</param>
    /// <exception cref="BenchException">The server has not answered.</exception>
    public List<double> LongestIn(IReadOnlyList<(long Began, long Ended)> windows)
    {
        Stop();
        if (_failure is { } failure)
        {
            throw failure;
        }

        List<double> longest = [];
        var at = 0;
        foreach (var (began, ended) in windows)
        {
            while (at < _requests.Count && _requests[at].Ended < began)
            {
                at++;
            }

            var most = TimeSpan.Zero;
            for (var i = at; i < _requests.Count && _requests[i].Began <= ended; i++)
            {
                var took = Stopwatch.GetElapsedTime(_requests[i].Began, _requests[i].Ended);
                most = took > most ? took : most;
            }

            longest.Add(most.TotalMilliseconds);
        }

        return longest;
    }

    public void Dispose()
    {
        Stop();
        _client.Dispose();
    }

    private void Stop()
    {
        _isStopping = true;
        _thread.Join();
    }

    private void Run()
    {
        var request = "*2\r\n$3\r\nGET\r\n$5\r\nprobe\r\n"u8.ToArray();
        var reply = new byte[64];
        while (!_isStopping && _requests.Count < MostRequests)
        {
            var began = Stopwatch.GetTimestamp();
            _ = _client.Socket.Send(request);
            BenchException.Require(_client.Socket.Receive(reply) > 0, "it closed the connection.");
            _requests.Add((began, Stopwatch.GetTimestamp()));
        }
    }
}
