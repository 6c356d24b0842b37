using NUnit.Framework;
using Strata.Tests.Support;

namespace Strata.Tests.Server.Commands.Keys;

/// <summary>DEL, UNLINK, EXISTS, TOUCH, TYPE.</summary>
[TestFixture(ServerKind.Strata)]
[TestFixture(ServerKind.Redis)]
public sealed class DeletionTests(ServerKind kind) : KeysFixture(kind)
{
    [Test]
    public void Deleting_counts_the_keys_that_were_there([Values("DEL", "UNLINK")] string verb)
    {
        Call("SET", "a", "1");
        Call("SET", "b", "1");
        Assert.That(Number(verb, "a", "b", "a", "nope"), Is.EqualTo(2));
        Assert.That(Number(verb, "a"), Is.Zero);
        Assert.That(Call("GET", "b").IsNull);
        Assert.That(Call(verb), Is.EqualTo(
            Error($"ERR wrong number of arguments for '{verb.ToLowerInvariant()}' command")));
    }

    [Test]
    public void Looking_counts_a_key_as_often_as_it_is_named([Values("EXISTS", "TOUCH")] string verb)
    {
        Call("SET", "a", "1");
        Assert.That(Number(verb, "a"), Is.EqualTo(1));
        Assert.That(Number(verb, "a", "a", "nope"), Is.EqualTo(2));
        Assert.That(Number(verb, "nope"), Is.Zero);
    }

    [Test]
    public void An_expired_key_is_neither_deleted_nor_there()
    {
        foreach (var verb in new[] { "DEL", "UNLINK", "EXISTS", "TOUCH" })
        {
            Call("SET", "a", "1", "PX", "1");
            Thread.Sleep(5);
            Assert.That(Number(verb, "a"), Is.Zero, verb);
        }
    }

    [Test]
    public void Type_names_the_type()
    {
        Call("SET", "a", "1");
        Assert.That(Call("TYPE", "a"), Is.EqualTo(RespValue.Simple("string")));
        Assert.That(Call("TYPE", "nope"), Is.EqualTo(RespValue.Simple("none")));
    }

    /// <summary>Commands of one key are executed in runs, those of several between them alone: the order stays.
    /// </summary>
    [Test]
    public void Pipelined_commands_of_one_and_of_several_keys_keep_their_order()
    {
        const int Keys = 200;
        for (var i = 0; i < Keys; i++)
        {
            Connection.Send("SET", $"k{i}", "v");
            Connection.Send("EXISTS", $"k{i}");
            Connection.Send("DEL", $"k{i}");
            Connection.Send("EXISTS", $"k{i}", $"k{(i + 1) % Keys}");
            Connection.Send("SET", $"k{i}", "w");
        }

        for (var i = 0; i < Keys; i++)
        {
            Assert.That(Connection.ReadReply().Text, Is.EqualTo("OK"));
            Assert.That(Connection.ReadReply().Integer, Is.EqualTo(1));
            Assert.That(Connection.ReadReply().Integer, Is.EqualTo(1));
            Assert.That(Connection.ReadReply().Integer, Is.EqualTo(i == Keys - 1 ? 1 : 0), $"key {i}");
            Assert.That(Connection.ReadReply().Text, Is.EqualTo("OK"));
        }

        string[] unlink = ["UNLINK", .. Enumerable.Range(0, Keys).Select(i => $"k{i}")];
        Assert.That(Number(unlink), Is.EqualTo(Keys));
    }
}
