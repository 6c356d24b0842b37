using NUnit.Framework;
using Strata.Tests.Server.Execution;

namespace Strata.Tests.Server.Clients.Tracking;

/// <summary>CLIENT TRACKING with many prefixes: others come between its steps, and it is right or nothing.</summary>
internal sealed class TrackingPassTests
{
    private const int Prefixes = 1000;

    private TurnServer _server = null!;
    private TurnClient _client = null!;
    private TurnClient _other = null!;

    private static string All => string.Join(' ', Enumerable.Range(0, Prefixes).Select(i => $"PREFIX p{i}:"));

    [SetUp]
    public void Start()
    {
        _server = new TurnServer(1);
        _client = _server.Connect();
        _other = _server.Connect();
    }

    [TearDown]
    public void Stop() => _server.Dispose();

    [Test]
    public void Others_are_served_between_its_steps()
    {
        OthersAreServed($"CLIENT TRACKING ON BCAST {All}", "+OK");
        Assert.That(Count(), Is.EqualTo(Prefixes));
        OthersAreServed("CLIENT TRACKING OFF", "+OK");
        Assert.That(Count(), Is.Zero);
        Assert.That(_client.Call("CLIENT TRACKINGINFO")[0], Does.Contain("$off").And.EndsWith("$prefixes []]"));
    }

    [Test]
    public void Reset_gives_them_up_in_steps()
    {
        OthersAreServed($"CLIENT TRACKING ON BCAST {All}", "+OK");
        OthersAreServed("RESET", "+RESET");
        Assert.That(Count(), Is.Zero);
        _ = _client.All(1, $"CLIENT TRACKING ON BCAST {All}");
        _client.Expect(["MULTI", "SET a 1", "RESET", "GET a"], "+OK", "+QUEUED", "+RESET", "nil");
        Assert.That(Count(), Is.Zero);
    }

    [Test]
    public void What_is_wrong_in_the_end_is_not_done()
    {
        OthersAreServed(
            $"CLIENT TRACKING ON BCAST {All} PREFIX p7:8",
            "-ERR Prefix 'p7:' overlaps with another provided prefix 'p7:8'. Prefixes for a single client must not "
                + "overlap.");
        Assert.That(Count(), Is.Zero);
        _client.Expect(
            [
                $"CLIENT TRACKING ON BCAST {All} nonsense", $"CLIENT TRACKING ON {All}",
                "CLIENT TRACKING ON BCAST PREFIX p1: PREFIX q", $"CLIENT TRACKING ON BCAST {All}",
            ],
            "-ERR syntax error",
            "-ERR PREFIX option requires BCAST mode to be enabled",
            "+OK",
            "-ERR Prefix 'p1:' overlaps with an existing prefix 'p1:'. Prefixes for a single client must not overlap.");
        Assert.That(Count(), Is.EqualTo(2));
    }

    [Test]
    public void In_a_transaction_it_is_done_in_one_go()
    {
        _client.Expect(
            ["MULTI", $"CLIENT TRACKING ON BCAST {All}", "PING", "CLIENT TRACKING OFF", "EXEC"],
            "+OK", "+QUEUED", "+QUEUED", "+QUEUED", "[+OK +PONG +OK]");
        Assert.That(Count(), Is.Zero);
    }

    [Test]
    public void Who_goes_in_its_midst_leaves_nothing()
    {
        _client.Send($"CLIENT TRACKING ON BCAST {All}");
        for (var i = 0; i < 25; i++)
        {
            _server.Turn(0);
        }

        Assert.That(Count(), Is.Positive);
        _client.Close();
        _server.Settle();
        Assert.That(Count(), Is.Zero);
    }

    private int Count() => _server.Server.Services.Invalidations.Prefixes.Count;

    private void OthersAreServed(string command, string reply)
        => Assert.That(_client.CallBesides(_other, command), Is.EqualTo(new[] { reply, "$after" }));
}
