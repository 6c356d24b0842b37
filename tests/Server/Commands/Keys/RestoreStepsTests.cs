using System.Text;
using NUnit.Framework;
using Strata.Server.Rdb;
using Strata.Tests.Server.Execution;
using Strata.Tests.Server.Rdb;

namespace Strata.Tests.Server.Commands.Keys;

/// <summary>A long payload is restored in steps: others have their turn meanwhile, and the key is there whole or not at
/// all, whatever becomes of the client and the shard.</summary>
[TestFixture]
internal sealed class RestoreStepsTests
{
    private const int Members = 6000;
    private const int StepsAtLeast = 2;

    [Test]
    public void Others_have_their_turn()
    {
        using var server = new TurnServer(workers: 1);
        var (client, other) = (server.Connect(), server.Connect());
        client.SendRaw(Command(Payload()));
        var steps = 0;
        while (client.Replies() is not ["+OK"])
        {
            other.Send("SCARD k", "PING");
            server.Turn(0);
            server.Turn(0);
            var replies = other.Replies();
            Assert.That(replies, Has.Count.EqualTo(2));
            Assert.That(replies[0], Is.EqualTo(":0").Or.EqualTo($":{Members}"));
            Assert.That(++steps, Is.LessThan(200));
        }

        Assert.That(steps, Is.GreaterThan(StepsAtLeast));
        other.Expect(["SCARD k"], $":{Members}");
    }

    [Test]
    public void What_is_wrong_at_the_end_leaves_nothing()
    {
        using var server = new TurnServer(workers: 2);
        var client = server.Connect();
        client.SendRaw(Command(new PayloadBuilder(Content(Members + 1)).Payload()));
        server.Settle();
        Assert.That(client.Replies(), Is.EqualTo(new[] { "-ERR Bad data format" }));
        client.Expect(["EXISTS k"], ":0");
        for (var i = 0; i < 100; i++)
        {
            client.Expect(["DEL k"], ":0"); // Each frees some of what was given up.
        }

        Assert.That(server.ShardOf("k").Collections.Doomed, Is.Zero);
    }

    [Test]
    public void Of_a_client_that_has_gone_it_is_restored_all_the_same()
    {
        using var server = new TurnServer(workers: 2);
        var (client, other) = (server.Connect(), server.Connect());
        client.SendRaw(Command(Payload()));
        server.Turn(0);
        server.Turn(1);
        client.Close();
        server.Settle();
        other.Expect(["SCARD k"], $":{Members}");
    }

    [TestCase("FLUSHALL")]
    [TestCase("SWAPDB 0 1")]
    [TestCase("SET k x")]
    public void What_happens_meanwhile_does_no_harm(string command)
    {
        using var server = new TurnServer(workers: 1);
        var (client, other) = (server.Connect(), server.Connect());
        other.Expect(["SADD other 1 2 3"], ":3");
        client.SendRaw(Command(Payload()));
        for (var i = 0; i < 4; i++)
        {
            server.Turn(0);
        }

        Assert.That(client.Replies(), Is.Empty);
        other.Send(command);
        server.Settle();
        server.Settle();
        var isBusy = command.StartsWith("SET", StringComparison.Ordinal);
        Assert.That(client.Replies(), Is.EqualTo(new[]
        {
            isBusy ? "-BUSYKEY Target key name already exists." : "+OK",
        }));
        Assert.That(other.Replies(), Is.EqualTo(new[] { "+OK" }));
        other.Expect(["TYPE k"], isBusy ? "+string" : "+set");
    }

    /// <summary>A set that says how many members it has, right or not.</summary>
    private static byte[] Content(int said)
    {
        var content = new PayloadBuilder(RdbType.Set).Raw(0x80, 0, 0, (byte)(said >> 8), (byte)said);
        for (var i = 0; i < Members; i++)
        {
            content.String($"m{i:d4}");
        }

        return content.Bytes;
    }

    private static byte[] Payload() => new PayloadBuilder(Content(Members)).Payload();

    private static string Command(byte[] payload)
        => $"*4\r\n$7\r\nRESTORE\r\n$1\r\nk\r\n$1\r\n0\r\n${payload.Length}\r\n"
            + Encoding.Latin1.GetString(payload) + "\r\n";
}
