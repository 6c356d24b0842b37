using System.Diagnostics;
using System.Globalization;
using System.Net.Sockets;
using NUnit.Framework;
using Strata.Tests.Support;

namespace Strata.Tests.EndToEnd;

/// <summary>
/// Holds the leases of one shard after the other for some milliseconds each (DEBUG HOLD-LEASE), on a connection and a
/// thread of its own, so that the other workers' commands meet leases that are taken. Disposing ends it.
/// </summary>
internal sealed class LeaseHolder : IDisposable
{
    private const int LongestHoldMs = 4;

    private readonly Stopwatch _clock = Stopwatch.StartNew();
    private readonly ServerProcess _server;

    // One connection for all questions: another each time would decide which worker the next of the test's gets.
    private readonly RespConnection _reader;
    private readonly long _contentionsBefore;
    private readonly Thread _thread;
    private volatile bool _stops;
    private Exception? _failure;
    private int _holds;

    /// <summary>Starts on a server that was started with <c>--enable-debug-command yes</c>.</summary>
    public LeaseHolder(ServerProcess server)
    {
        _server = server;
        _reader = server.Connect();
        _contentionsBefore = Contentions();
        _thread = new Thread(HoldUntilStopped);
        _thread.Start();
    }

    /// <summary>Whether the work beside it should go on, for no held lease was in anyone's way yet.</summary>
    public bool NeedsMore() => _clock.ElapsedMilliseconds < Patience.Ms && Contentions() == _contentionsBefore;

    /// <summary>Stops, and fails the test if no lease was held or none of them was in anyone's way.</summary>
    public void Dispose()
    {
        _stops = true;
        _thread.Join();
        Assert.That(_failure, Is.Null, "the thread that holds leases");
        Assert.That(_holds, Is.Positive, "leases held");
        var contentions = Contentions() - _contentionsBefore;
        _reader.Dispose();
        TestContext.Out.WriteLine($"{_holds} leases held, met {contentions} times");
        Assert.That(contentions, Is.Positive, "times a held lease was met");
    }

    private long Contentions()
    {
        var shards = _reader.Call("INFO", "shards").Text.Split("lease_contentions=")[1..];
        return shards.Sum(text => long.Parse(text.Split('\r')[0], CultureInfo.InvariantCulture));
    }

    private void HoldUntilStopped()
    {
        try
        {
            using var connection = _server.Connect();
            var random = new Random(1);
            var shards = (int)connection.Call("CONFIG", "GET", "shards").Items[1].Integer;
            while (!_stops)
            {
                var shard = random.Next(shards).ToString(CultureInfo.InvariantCulture);
                var holdMs = random.Next(LongestHoldMs + 1).ToString(CultureInfo.InvariantCulture);
                Assert.That(connection.Call("DEBUG", "HOLD-LEASE", shard, holdMs), Is.EqualTo(RespValue.Simple("OK")));
                _holds++;
            }
        }
        catch (Exception e) when (e is SocketException or IOException or TimeoutException or AssertionException)
        {
            _failure = e;
        }
    }
}
