using NUnit.Framework;
using Strata.Tests.Server.Execution;

namespace Strata.Tests.Server.Commands.Keys;

/// <summary>A large value is dumped in steps, between which others have their turn, and as it is at one moment.
/// </summary>
[TestFixture]
internal sealed class DumpStepsTests
{
    private const int Members = 6000;

    [TestCase("PING", "+PONG")]
    [TestCase("SADD k0 another", ":1")]
    [TestCase("DEL k0", ":1")]
    [TestCase("FLUSHALL", "+OK")]
    [TestCase("SWAPDB 0 1", "+OK")]
    public void Others_have_their_turn(string command, string answer)
    {
        using var server = new TurnServer(workers: 1);
        var (client, other) = (server.Connect(), server.Connect());
        Fill(other);
        var isGone = command is "DEL k0" or "FLUSHALL" or "SWAPDB 0 1";
        client.Send("DUMP k0");
        server.Turn(0);
        Assert.That(client.Replies(), Is.Empty);
        other.Send(command);
        server.Turn(0);
        server.Turn(0);
        Assert.That(other.Replies(), Is.EqualTo(new[] { answer }));
        var replies = new List<string>();
        for (var i = 0; i < 5; i++)
        {
            server.Settle();
            replies.AddRange(client.Replies()); // It is more than the pipe takes.
        }

        Assert.That(replies, Has.Count.EqualTo(1));
        Assert.That(replies[0], isGone ? Is.EqualTo("nil") : Has.Length.GreaterThan(Members * 6));
    }

    [Test]
    public void It_comes_to_an_end_whatever_others_do()
    {
        using var server = new TurnServer(workers: 1);
        var (client, other) = (server.Connect(), server.Connect());
        Fill(other);
        client.Send("DUMP k0");
        var turns = 0;
        while (client.Replies().Count == 0)
        {
            other.Send($"SADD k0 more{turns}");
            server.Turn(0);
            Assert.That(++turns, Is.LessThan(50));
        }

        server.Settle();
        _ = other.Replies();
    }

    [Test]
    public void A_long_payload_becomes_the_reply_in_steps()
    {
        const int Bytes = 32 << 20;
        using var server = new TurnServer(workers: 1);
        var (client, other) = (server.Connect(), server.Connect());
        other.Expect([$"SETRANGE k {Bytes - 1} x"], $":{Bytes}");
        client.Send("DUMP k");
        var turns = 0;
        for (; turns < 200 && !client.HasInput; turns++)
        {
            server.Turn(0);
        }

        Assert.That(turns, Is.InRange(100, 199), "half of them to write it, half to copy it");
    }

    [Test]
    public void A_client_that_keeps_it_is_answered_with_what_it_is_told_of()
    {
        const int Bytes = 32 << 20;
        using var server = new TurnServer(workers: 1);
        var (client, other) = (server.Connect(), server.Connect());
        other.Expect([$"SETRANGE k {Bytes - 1} x"], $":{Bytes}");
        client.Send("HELLO 3");
        client.Send("CLIENT TRACKING ON");
        server.Settle();
        _ = client.Replies();
        client.Send("DUMP k");
        for (var turns = 0; turns < 90; turns++)
        {
            server.Turn(0);
        }

        Assert.That(client.HasInput, Is.False, "the payload is whole, or nearly, and is copied");
        other.Expect(["SET k short"], "+OK");
        server.Settle();
        Assert.That(client.Replies().Single(), Has.Length.LessThan(100));
        other.Expect(["SET k other"], "+OK");
        server.Settle();
        Assert.That(client.Replies().Single(), Does.Contain("invalidate"));
    }

    [Test]
    public void A_client_that_goes_leaves_nothing()
    {
        using var server = new TurnServer(workers: 1);
        var (client, other) = (server.Connect(), server.Connect());
        Fill(other);
        client.Send("DUMP k0");
        server.Turn(0);
        client.Close();
        server.Settle();
        Assert.That(server.ShardOf("k0").Changes.AreHeard, Is.False);
    }

    private static void Fill(TurnClient client)
    {
        for (var i = 0; i < Members; i += 500)
        {
            var members = Enumerable.Range(i, 500).Select(member => $"member{member:d6}");
            client.Expect([$"SADD k0 {string.Join(' ', members)}"], ":500");
        }
    }
}
