using System.Buffers;
using NUnit.Framework;
using Strata.Server.Diagnostics;
using Strata.Server.Diagnostics.Keyspace;
using Strata.Server.Diagnostics.Traffic;
using Strata.Tests.Server.Execution;

namespace Strata.Tests.Server.Diagnostics;

/// <summary>What metrics tell of the hottest key and the largest prefix, against the reports that name them.</summary>
[TestFixture]
internal sealed class LargestSharesTests
{
    private const int Keys = 3000;

    private TurnServer _server = null!;
    private TurnClient _client = null!;

    private LargestShares Shares => _server.Server.Services.Shares;

    [SetUp]
    public void Start()
    {
        _server = new TurnServer(workers: 2);
        _client = _server.Connect();
    }

    [TearDown]
    public void Stop() => _server.Dispose();

    [Test]
    public void An_empty_server_has_none()
    {
        Assert.That(Shares.OfPrefix(turns: null), Is.Zero);
        Assert.That(Shares.OfKey(HotKeyMeasure.Reads), Is.Zero);
    }

    /// <summary>Each time by what there is then, though what was used before is used again.</summary>
    [Test]
    public void The_largest_prefix_has_its_part_whenever_it_is_asked_for()
    {
        foreach (var prefix in (string[])["a", "b", "a", "c"])
        {
            _client.Expect(["FLUSHALL"], "+OK");
            Fill(prefix, Keys);
            Fill("other", Keys / 4);
            var list = new PrefixList(PrefixRule.Usual);
            list.Add(_server.Server.Services.Censuses, static (_, _) => true);
            var shares = list.Shares();
            Assert.That(shares, Has.Count.EqualTo(2));
            Assert.That(
                Shares.OfPrefix(turns: null),
                Is.EqualTo(shares[0].Bytes / (shares[0].Bytes + shares[1].Bytes)).Within(1e-9).And.GreaterThan(0.7));
        }
    }

    [Test]
    public void The_hottest_key_has_its_part()
    {
        Fill("key", 20);
        for (var i = 0; i < 20_000; i++)
        {
            _ = _client.Call($"GET key:{(i % 2 == 0 ? 0 : i % 20)}");
        }

        var list = _server.Server.Services.HotKeys(HotKeyMeasure.Reads);
        Assert.That(
            Shares.OfKey(HotKeyMeasure.Reads),
            Is.EqualTo(list.Keys[0].PerSecond / list.TotalPerSecond).Within(1e-9).And.GreaterThan(0.3));
    }

    /// <summary>What is allocated a collection must free, and that holds all clients up.</summary>
    [Test]
    public void A_scrape_leaves_little_garbage()
    {
        for (var i = 0; i < Keys; i++)
        {
            _ = _client.Call($"SET {i}:key value", $"GET {i}:key", $"LPUSH list:{i} a", $"HSET hash:{i} f v");
        }

        var output = new ArrayBufferWriter<byte>(4 << 20);
        _server.Server.Observer.WriteMetrics(output, isOpenMetrics: true);
        var before = GC.GetAllocatedBytesForCurrentThread();
        _server.Server.Observer.WriteMetrics(output, isOpenMetrics: true);
        Assert.That(GC.GetAllocatedBytesForCurrentThread() - before, Is.LessThan(64 << 10));
    }

    private void Fill(string prefix, int keys)
    {
        for (var i = 0; i < keys; i++)
        {
            _ = _client.Call($"SET {prefix}:{i} value");
        }
    }
}
