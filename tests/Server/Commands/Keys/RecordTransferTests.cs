using NUnit.Framework;
using Strata.Tests.Support;

namespace Strata.Tests.Server.Commands.Keys;

/// <summary>RENAME, RENAMENX, COPY, MOVE.</summary>
[TestFixture(ServerKind.Strata)]
[TestFixture(ServerKind.Redis)]
public sealed class RecordTransferTests(ServerKind kind) : KeysFixture(kind)
{
    private const string NotInRange = "ERR value is out of range, value must between -2147483648 and 2147483647";

    /// <summary>Many keys, so that source and destination lie in one shard and in two.</summary>
    [Test]
    public void Rename_moves_value_and_time_and_replaces_what_was_there()
    {
        for (var i = 0; i < 100; i++)
        {
            Call("SET", "source", $"value {i}", "EX", "1000");
            Call("SET", $"k{i}", new string('x', i), i % 2 == 0 ? "KEEPTTL" : "GET");
            Assert.That(Call("RENAME", "source", $"k{i}").Text, Is.EqualTo("OK"));
            Assert.That(Call("GET", $"k{i}").Text, Is.EqualTo($"value {i}"));
            Assert.That(Number("TTL", $"k{i}"), Is.InRange(900, 1000));
            Assert.That(Number("EXISTS", "source"), Is.Zero);
        }

        Assert.That(Number("DBSIZE"), Is.EqualTo(100));
    }

    [Test]
    public void Rename_takes_the_time_of_the_key_it_replaces_off()
    {
        Call("SET", "a", "1");
        Call("SET", "b", "2", "EX", "100");
        Call("RENAME", "a", "b");
        Assert.That(Number("TTL", "b"), Is.EqualTo(-1));
    }

    [Test]
    public void Renamenx_leaves_an_existing_key_alone()
    {
        Call("SET", "a", "1");
        Call("SET", "b", "2");
        Assert.That(Number("RENAMENX", "a", "b"), Is.Zero);
        Assert.That(Number("RENAMENX", "a", "a"), Is.Zero);
        Assert.That(Call("GET", "b").Text, Is.EqualTo("2"));
        Assert.That(Number("RENAMENX", "a", "c"), Is.EqualTo(1));
        Assert.That(Call("GET", "c").Text, Is.EqualTo("1"));
        Assert.That(Number("EXISTS", "a"), Is.Zero);
    }

    [Test]
    public void Renaming_to_itself_changes_nothing_and_a_missing_key_is_an_error()
    {
        Call("SET", "a", "1");
        Assert.That(Call("RENAME", "a", "a").Text, Is.EqualTo("OK"));
        Assert.That(Call("GET", "a").Text, Is.EqualTo("1"));
        Assert.That(Call("RENAME", "nope", "nope"), Is.EqualTo(Error("ERR no such key")));
        Assert.That(Call("RENAMENX", "nope", "a"), Is.EqualTo(Error("ERR no such key")));
    }

    [Test]
    public void Copy_gives_value_and_time_and_replaces_only_when_told()
    {
        Call("SET", "a", "1", "EX", "1000");
        Assert.That(Number("COPY", "a", "b"), Is.EqualTo(1));
        Call("SET", "a", "2");
        Assert.That(Number("COPY", "a", "b"), Is.Zero);
        Assert.That(Call("GET", "b").Text, Is.EqualTo("1"));
        Assert.That(Number("TTL", "b"), Is.InRange(900, 1000));
        Assert.That(Number("COPY", "a", "b", "Replace"), Is.EqualTo(1));
        Assert.That(Call("GET", "b").Text, Is.EqualTo("2"));
        Assert.That(Number("TTL", "b"), Is.EqualTo(-1));
        Assert.That(Number("COPY", "nope", "b", "REPLACE"), Is.Zero);
        Assert.That(Call("GET", "b").Text, Is.EqualTo("2"));
    }

    [Test]
    public void Copy_and_move_reach_other_databases()
    {
        // Of each name a database has one, so the second attempt tells that the first one succeeded.
        for (var i = 0; i < 50; i++)
        {
            Call("SET", $"t{i}", "1");
            Assert.That(Number("COPY", $"t{i}", $"t{i}", "DB", "2"), Is.EqualTo(1));
            Assert.That(Number("COPY", $"t{i}", $"t{i}", "DB", "2"), Is.Zero);
            Assert.That(Number("COPY", $"t{i}", $"t{i}", "db", "2", "replace"), Is.EqualTo(1));
            Assert.That(Number("MOVE", $"t{i}", "2"), Is.Zero);
            Assert.That(Number("MOVE", $"t{i}", "3"), Is.EqualTo(1));
            Assert.That(Number("EXISTS", $"t{i}"), Is.Zero);
            Assert.That(Number("MOVE", $"t{i}", "3"), Is.Zero);
        }
    }

    [TestCase("COPY a a", "ERR source and destination objects are the same")]
    [TestCase("COPY a a DB 0", "ERR source and destination objects are the same")]
    [TestCase("COPY a b DB", "ERR syntax error")]
    [TestCase("COPY a b Somewhere", "ERR syntax error")]
    [TestCase("COPY a b DB 16", "ERR DB index is out of range")]
    [TestCase("COPY a b DB -1", "ERR DB index is out of range")]
    [TestCase("COPY a b DB one", "ERR value is not an integer or out of range")]
    [TestCase("COPY a b DB 2147483648", NotInRange)]
    [TestCase("MOVE a 0", "ERR source and destination objects are the same")]
    [TestCase("MOVE a 16", "ERR DB index is out of range")]
    [TestCase("MOVE a one", "ERR value is not an integer or out of range")]
    [TestCase("MOVE a -2147483649", NotInRange)]
    public void Mistakes_are_answered_with_redis_texts(string command, string error)
    {
        Call("SET", "a", "1");
        Assert.That(Call(command.Split(' ')), Is.EqualTo(Error(error)));
        Assert.That(Number("DBSIZE"), Is.EqualTo(1));
    }
}
