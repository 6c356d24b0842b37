using System.Diagnostics;
using System.Net.Sockets;
using Strata.Bench.Kv;
using Strata.Bench.Load;

namespace Strata.Bench.Observability;

/// <summary>A client that sends one GET after the other, and beside them scrapes the server now and then, on one
/// thread: no other of the bench's takes its processor while it waits.</summary>
internal sealed class ScrapeProbe
{
    private const int LeastPauseMs = 20;
    private const int PausesMs = 7;

    private readonly RespClient _client;
    private readonly MetricsConnection _metrics;
    private readonly byte[] _request = "*2\r\n$3\r\nGET\r\n$5\r\nprobe\r\n"u8.ToArray();
    private readonly byte[] _reply = new byte[64];

    private ScrapeProbe(RespClient client, MetricsConnection metrics) => (_client, _metrics) = (client, metrics);

    /// <summary>The longest GET of each scrape, milliseconds.</summary>
    public List<double> WhileScraped { get; } = [];

    /// <summary>The longest of times that are as long, between them.</summary>
    public List<double> Between { get; } = [];

    /// <summary>How long each scrape took, milliseconds.</summary>
    public List<double> ScrapeMs { get; } = [];

    /// <summary>Measures.</summary>
    /// <param name="port">The server's port; it has the key.</param>
    /// <param name="metrics">A connection to metrics-port.</param>
    /// <param name="cpu">Where to run.</param>
    /// <param name="scrapes">How many.</param>
    /// <exception cref="BenchException">The server does not answer.</exception>
    public static ScrapeProbe Run(int port, MetricsConnection metrics, int cpu, int scrapes)
    {
        using var client = RespClient.Connect("127.0.0.1", port, password: null);
        var probe = new ScrapeProbe(client, metrics);
        BenchException? failure = null;
        var thread = new Thread(() =>
        {
            try
            {
                CpuAffinity.Pin(cpu);
                probe.Measure(scrapes);
            }
            catch (BenchException e)
            {
                failure = e;
            }
            catch (SocketException e)
            {
                failure = new BenchException($"The server did not answer GET: {e.Message}", e);
            }
        });
        thread.Start();
        thread.Join();
        return failure == null ? probe : throw failure;
    }

    private void Measure(int scrapes)
    {
        for (var i = 0; i < scrapes; i++)
        {
            _ = LongestFor(TimeSpan.FromMilliseconds(LeastPauseMs + (i % PausesMs))); // Not in step with anything.
            var began = Stopwatch.GetTimestamp();
            _metrics.Begin("/metrics");
            WhileScraped.Add(LongestUntil(() => _metrics.TryEnd()));
            var took = Stopwatch.GetElapsedTime(began);
            ScrapeMs.Add(took.TotalMilliseconds);
            _ = LongestFor(TimeSpan.FromMilliseconds(LeastPauseMs));
            Between.Add(LongestFor(took));
        }
    }

    private double LongestFor(TimeSpan time)
    {
        var began = Stopwatch.GetTimestamp();
        return LongestUntil(() => Stopwatch.GetElapsedTime(began) >= time);
    }

    private double LongestUntil(Func<bool> isOver)
    {
        var longest = TimeSpan.Zero;
        do
        {
            var began = Stopwatch.GetTimestamp();
            _ = _client.Socket.Send(_request);
            BenchException.Require(
                _client.Socket.Receive(_reply) > 0, "The server did not answer GET: it closed the connection.");
            var took = Stopwatch.GetElapsedTime(began);
            longest = took > longest ? took : longest;
        }
        while (!isOver());

        return longest.TotalMilliseconds;
    }
}
