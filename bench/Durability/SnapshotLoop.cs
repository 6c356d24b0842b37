using System.Diagnostics;
using Strata.Bench.Load;
using Strata.Bench.Servers;

namespace Strata.Bench.Durability;

/// <summary>Lets a server make one snapshot after the other, from a thread of its own, and watches how long that takes
/// and how much memory the server has meanwhile.</summary>
internal sealed class SnapshotLoop : IDisposable
{
    private const int LookMs = 50;

    private readonly ServerProcess _server;
    private readonly RespClient _control;
    private readonly Thread _thread;
    private readonly long _bytesBefore;
    private readonly List<double> _seconds = [];
    private long _mostBytes;
    private volatile bool _isStopping;
    private volatile bool _hasEndedOne;
    private BenchException? _failure;

    /// <exception cref="BenchException">The server cannot be reached.</exception>
    public SnapshotLoop(ServerProcess server)
    {
        _server = server;
        _control = RespClient.Connect("127.0.0.1", server.Port, password: null);
        _thread = new Thread(Run) { IsBackground = true };
        _bytesBefore = server.SharedOnceBytes;
    }

    /// <summary>Whether a snapshot has ended; any thread.</summary>
    public bool HasEndedOne => _hasEndedOne || _failure != null;

    /// <summary>How long the longest took. After <see cref="Stop"/>.</summary>
    public double Seconds => _seconds.Max();

    /// <summary>The most memory there was, over what there was before, in percent of that. After <see cref="Stop"/>.
    /// </summary>
    public double GrowthPercent => 100.0 * (_mostBytes - _bytesBefore) / _bytesBefore;

    public void Start() => _thread.Start();

    /// <summary>Waits for the end of the snapshot under way.</summary>
    /// <exception cref="BenchException">The server has failed.</exception>
    public void Stop()
    {
        _isStopping = true;
        _thread.Join();
        if (_failure != null)
        {
            throw _failure;
        }
    }

    public void Dispose()
    {
        _isStopping = true;
        if (_thread.IsAlive)
        {
            _thread.Join();
        }

        _control.Dispose();
    }

    private void Run()
    {
        try
        {
            while (!_isStopping)
            {
                MakeOne();
            }
        }
        catch (BenchException e)
        {
            _failure = e;
        }
    }

    private void MakeOne()
    {
        var clock = Stopwatch.StartNew();
        _control.Call("BGSAVE");
        do
        {
            Thread.Sleep(LookMs);
            _mostBytes = Math.Max(_mostBytes, _server.SharedOnceBytes);
        }
        while (Persistence("rdb_bgsave_in_progress") == "1");

        BenchException.Require(
            Persistence("rdb_last_bgsave_status") == "ok", "The server could not save: see its log.");
        _seconds.Add(clock.Elapsed.TotalSeconds);
        _hasEndedOne = true;
    }

    private string? Persistence(string field) => ServerInfo.Ask(_control, "persistence").Find(field);
}
