using System.Diagnostics;
using Strata.Bench.Kv;

namespace Strata.Bench.Observability;

/// <summary>All that watches a server: Prometheus, which scrapes each second, and a live page, which reads its
/// stream and asks for its reports each two seconds. It has threads of its own, on the clients' CPU.</summary>
internal sealed class Watchers : IDisposable
{
    private const int PeriodMs = 1000;
    private const int ReportsEvery = 2;

    private static readonly string[] s_reports = ["/hotkeys", "/prefixes", "/clients"];

    private readonly MetricsConnection _stream;
    private readonly MetricsConnection _asked;
    private readonly Thread[] _threads;
    private readonly ManualResetEventSlim _end = new();
    private BenchException? _failure;

    /// <summary>Begins to watch.</summary>
    /// <param name="port">The server's metrics-port.</param>
    /// <param name="cpu">Where the threads run.</param>
    /// <exception cref="BenchException">The port cannot be reached.</exception>
    public Watchers(int port, int cpu)
    {
        _stream = new MetricsConnection(port);
        _asked = new MetricsConnection(port);
        _threads = [Start(cpu, () => _stream.Follow("/live", () => _end.IsSet)), Start(cpu, Ask)];
    }

    /// <summary>Ends.</summary>
    /// <exception cref="BenchException">The server has not answered.</exception>
    public void Stop()
    {
        _end.Set();
        _stream.End();
        Array.ForEach(_threads, static thread => thread.Join());
        if (_failure is { } failure)
        {
            throw failure;
        }
    }

    public void Dispose()
    {
        _end.Set();
        _stream.Dispose();
        Array.ForEach(_threads, static thread => thread.Join());
        _asked.Dispose();
        _end.Dispose();
    }

    private void Ask()
    {
        var began = Stopwatch.GetTimestamp();
        for (var second = 0; ; second++)
        {
            _asked.Get("/metrics");
            if (second % ReportsEvery == 0)
            {
                Array.ForEach(s_reports, _asked.Get);
            }

            var next = (second + 1) * PeriodMs;
            if (_end.Wait(Math.Max(0, next - (int)Stopwatch.GetElapsedTime(began).TotalMilliseconds)))
            {
                return;
            }
        }
    }

    private Thread Start(int cpu, Action work)
    {
        var thread = new Thread(() =>
        {
            try
            {
                CpuAffinity.Pin(cpu);
                work();
            }
            catch (BenchException e)
            {
                _failure = e; // Told by Stop.
            }
        });
        thread.IsBackground = true;
        thread.Start();
        return thread;
    }
}
