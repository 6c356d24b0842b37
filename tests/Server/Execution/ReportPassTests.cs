using NUnit.Framework;
using Strata.Server;

namespace Strata.Tests.Server.Execution;

/// <summary>Commands that tell of much, but not of keys at one moment: others come between their steps.</summary>
internal sealed class ReportPassTests
{
    private const int Names = 6000;

    private TurnServer _server = null!;
    private TurnClient _client = null!;
    private TurnClient _other = null!;

    [SetUp]
    public void Start()
    {
        _server = new TurnServer(1);
        (_client, _other) = (_server.Connect(), _server.Connect());
    }

    [TearDown]
    public void Stop() => _server.Dispose();

    [TestCase("COMMAND INFO", "nil")]
    [TestCase("SCRIPT EXISTS", ":0")]
    public void Others_have_their_turn_between_names(string command, string answer)
    {
        var replies = _client.CallBesides(_other, Many(command));
        Assert.That(replies, Is.EqualTo(new[] { All(Enumerable.Repeat(answer, Names)), "$after" }));
    }

    [TestCase("COMMAND GETKEYS MGET", "${0}")]
    [TestCase("COMMAND GETKEYSANDFLAGS DEL", "[${0} [+RM +delete]]")]
    public void Others_have_their_turn_between_keys_of_a_request(string command, string answer)
    {
        var replies = _client.CallBesides(_other, Many(command));
        var answers = Enumerable.Range(0, Names).Select(i => answer.Replace("{0}", $"n{i}"));
        Assert.That(replies, Is.EqualTo(new[] { All(answers), "$after" }));
    }

    [Test]
    public void Others_have_their_turn_between_keys_of_several_kinds()
    {
        var keys = Many("COMMAND GETKEYS ZUNIONSTORE dst " + Names);
        Assert.That(
            _client.CallBesides(_other, keys),
            Is.EqualTo(new[] { All(Enumerable.Range(0, Names).Select(i => $"$n{i}").Prepend("$dst")), "$after" }));
    }

    [Test]
    public void Others_have_their_turn_while_commands_are_documented()
    {
        var replies = _client.CallBesides(_other, Many("COMMAND DOCS") + " get echo get");
        Assert.That(replies, Has.Count.EqualTo(2));
        Assert.That(replies[0], Does.StartWith("[$get [").And.Contain("$echo ["));
        Assert.That(replies[0].Split("$summary "), Has.Length.EqualTo(4));
    }

    [Test]
    public void Others_have_their_turn_while_channels_are_counted_and_listed()
    {
        Assert.That(
            _client.CallBesides(_other, Many("PUBSUB NUMSUB"))[0],
            Is.EqualTo(All(Enumerable.Range(0, Names).Select(i => $"$n{i} :0"))));
        var subscriber = _server.Connect();
        foreach (var some in Enumerable.Range(0, Names).Chunk(1000))
        {
            subscriber.Send("SUBSCRIBE " + string.Join(' ', some.Select(i => $"n{i}")));
            _server.Settle();
            Assert.That(subscriber.Replies(), Has.Count.EqualTo(some.Length));
        }

        var listed = _client.CallBesides(_other, "PUBSUB CHANNELS *99?")[0];
        Assert.That(
            listed[1..^1].Split(' '),
            Is.EquivalentTo(Enumerable.Range(0, Names).Where(i => i / 10 % 100 == 99).Select(i => $"$n{i}")));
        listed = _client.CallBesides(_other, "PUBSUB CHANNELS")[0];
        Assert.That(listed.Split(' '), Has.Length.EqualTo(Names));
    }

    [Test]
    public void Others_have_their_turn_between_patterns_of_the_configuration()
    {
        var replies = _client.CallBesides(_other, Many("CONFIG GET", "*x{0}*", 300) + " PORT p?rt maxmemory");
        Assert.That(replies, Is.EqualTo(new[] { "[$PORT $0 $maxmemory $0]", "$after" }));
    }

    [Test]
    public void Others_have_their_turn_in_the_midst_of_a_long_pattern()
    {
        var replies = _client.CallBesides(_other, $"CONFIG GET [{new string('x', 3000)}p]ort");
        Assert.That(replies, Is.EqualTo(new[] { "[$port $0]", "$after" }));
    }

    [Test]
    public void Others_have_their_turn_while_keys_are_scanned()
    {
        foreach (var some in Enumerable.Range(0, Names).Chunk(1000))
        {
            _client.Expect(["MSET " + string.Join(' ', some.Select(i => $"k{i} v"))], "+OK");
        }

        var replies = _client.CallBesides(_other, "SCAN 0 COUNT 1000000 MATCH k*0");
        Assert.That(replies, Has.Count.EqualTo(2));
        Assert.That(replies[0], Does.StartWith("[$0 ["));
        var names = replies[0]["[$0 [".Length..^2].Split(' ');
        Assert.That(
            names, Is.EquivalentTo(Enumerable.Range(0, Names).Where(i => i % 10 == 0).Select(i => $"$k{i}")));
        var scanned = _client.Call("SCAN 0 COUNT 3000")[0];
        Assert.That(scanned, Does.Not.StartWith("[$0 ["));
        Assert.That(scanned.Split(' '), Has.Length.InRange(3000, 3100));
    }

    [Test]
    public void A_database_that_takes_the_place_of_the_one_that_is_scanned_ends_the_call()
    {
        foreach (var some in Enumerable.Range(0, Names).Chunk(1000))
        {
            _client.Expect(["MSET " + string.Join(' ', some.Select(i => $"k{i} v"))], "+OK");
        }

        _client.Send("SCAN 0 COUNT 1000000");
        _server.Turn(0);
        _other.Send("SELECT 1", "SET only v", "SWAPDB 0 1");
        _server.Settle();
        var reply = _client.Replies().Single();
        Assert.That(reply, Does.Not.StartWith("[$0 [").And.Not.Contain("$only"));
        Assert.That(reply.Split(' '), Has.Length.InRange(1000, Names - 1));
    }

    [Test]
    public void Others_have_their_turn_while_clients_are_closed()
    {
        const int Clients = (4 * ServerLimits.ClientsAtOnce) + 1;
        _client.Expect(["ACL SETUSER other on nopass +@all", "CLIENT NO-EVICT ON"], "+OK", "+OK");
        _other.Expect(["AUTH other x"], "+OK");
        var clients = Enumerable.Range(0, Clients).Select(_ => _server.Connect()).ToList();
        var replies = _client.CallBesides(_other, "CLIENT KILL USER default SKIPME yes");
        Assert.That(replies, Is.EqualTo(new[] { $":{Clients}", "$after" }));
        foreach (var client in clients)
        {
            _ = client.Replies();
            Assert.That(client.IsClosed);
        }
    }

    [Test]
    public void Others_have_their_turn_while_users_are_listed()
    {
        const int Users = 300;
        for (var i = 0; i < Users; i++)
        {
            _client.Expect([$"ACL SETUSER u{i} on nopass"], "+OK");
        }

        var replies = _client.CallBesides(_other, "ACL LIST");
        Assert.That(replies[0].Split("$user "), Has.Length.EqualTo(1 + 1 + Users));
    }

    [Test]
    public void In_a_transaction_it_is_done_in_one_go()
    {
        _client.Expect(
            ["MULTI", Many("SCRIPT EXISTS"), "CONFIG GET p?rt", "EXEC"],
            "+OK", "+QUEUED", "+QUEUED", $"[{All(Enumerable.Repeat(":0", Names))} [$port $0]]");
    }

    [Test]
    public void Who_goes_in_its_midst_leaves_nothing()
    {
        _client.Send(Many("COMMAND INFO"));
        _server.Turn(0);
        _client.Close();
        _server.Settle();
    }

    private static string Many(string command, string name = "n{0}", int names = Names)
        => $"{command} {string.Join(' ', Enumerable.Range(0, names).Select(i => name.Replace("{0}", $"{i}")))}";

    private static string All(IEnumerable<string> answers) => $"[{string.Join(' ', answers)}]";
}
