using NUnit.Framework;
using Strata.Storage;
using Strata.Storage.Memory;

namespace Strata.Tests.Server.Execution;

/// <summary>Clients that have stopped to read what was sent to them: they go where others need the memory.</summary>
[TestFixture(1)]
[TestFixture(2)]
internal sealed class StalledClientTests(int workers)
{
    private const int LargeBytes = 2_000_000;

    private TurnServer _server = null!;
    private TurnClient _client = null!;
    private TurnClient _reader = null!;
    private int _clients;

    private MemoryBudget Budget => _server.Server.Context.Shards.Budget;

    [SetUp]
    public void Start()
    {
        _server = new TurnServer(workers);
        _client = _server.Connect();
        _reader = _server.Connect();
        _ = _client.Call($"SETRANGE large {LargeBytes} x", "SETRANGE huge 40000000 x");
        _clients = 2;
    }

    [TearDown]
    public void Stop() => _server.Dispose();

    [TestCase("GET huge")]
    [TestCase("SET key value")]
    public void They_go_where_others_need_memory(string command)
    {
        _ = Ask();
        BeFarOver();
        PassSeconds(3);
        Assert.That(Clients(), Is.EqualTo(_clients), "nobody needs any");
        Assert.That(_client.Call(command)[0], Does.StartWith("-OOM"));
        PassSeconds(1);
        Assert.That(Clients(), Is.EqualTo(_clients - 1));
        Assert.That(_client.Call("INFO stats")[0], Does.Contain("client_output_buffer_limit_disconnections:1\r"));
    }

    [Test]
    public void Who_reads_slowly_or_is_not_to_be_evicted_stays()
    {
        var slow = Ask();
        var kept = _server.Connect();
        kept.Expect(["CLIENT NO-EVICT ON"], "+OK");
        Send(kept);
        _clients++;
        BeFarOver();
        for (var i = 0; i < 5; i++)
        {
            Assert.That(_client.Call("GET huge")[0], Does.StartWith("-OOM"));
            PassSeconds(1);
            Assert.That(slow.Replies().Count + slow.Call().Count, Is.EqualTo(2));
            Send(slow);
        }

        Assert.That(Clients(), Is.EqualTo(_clients));
    }

    private TurnClient Ask()
    {
        var client = _server.Connect();
        _clients++;
        Send(client);
        return client;
    }

    /// <summary>A pipe takes one reply of any size; the next waits.</summary>
    private void Send(TurnClient client)
    {
        client.Send("GET large");
        _server.Settle();
        client.Send("GET large");
        _server.Settle();
    }

    /// <summary>Has more be held than may be for long, where nothing can be given up.</summary>
    private void BeFarOver()
    {
        _ = Budget.Buffers.ReleaseIdle();
        var held = Budget.UsedBytes - Budget.RetiredBytes - LargeBytes;
        Budget.LimitBytes = held * Limits.OverShare / (Limits.OverShare + 1);
        Assert.That(Budget.IsFarOver);
    }

    private int Clients()
    {
        _reader.Expect(["PING"], "+PONG");
        return _server.Server.Workers.Sum(static worker => worker.ConnectionCount);
    }

    private void PassSeconds(int seconds)
    {
        for (var i = 0; i < seconds * 10; i++)
        {
            _server.Clock.AdvanceMs(100);
            _server.Settle();
        }
    }
}
