using NUnit.Framework;
using Strata.Tests.Server.Commands.Keys;
using Strata.Tests.Support;

namespace Strata.Tests.Server.Commands.Hashes;

/// <summary>Fields that expire, as Redis 7.4 documents them.</summary>
[TestFixture(ServerKind.Strata)]
public sealed class FieldExpiryTests(ServerKind kind) : KeysFixture(kind)
{
    private const long FarFutureMs = 4_102_444_800_123;

    [SetUp]
    public void MakeHash() => Call("HSET", "h", "a", "1", "b", "2", "c", "3");

    [Test]
    public void Each_field_is_answered_for_itself()
    {
        Assert.That(Numbers("HEXPIRE", "h", "1000", "FIELDS", "2", "a", "nope"), Is.EqualTo(new[] { 1, -2 }));
        var times = Numbers("HTTL", "h", "FIELDS", "3", "a", "b", "nope");
        Assert.That(times[0], Is.InRange(900, 1000));
        Assert.That(times[1..], Is.EqualTo(new[] { -1, -2 }));
        Assert.That(Numbers("HPTTL", "h", "FIELDS", "1", "a")[0], Is.InRange(900_000, 1_000_000));
        Assert.That(Numbers("HPERSIST", "h", "FIELDS", "3", "a", "b", "nope"), Is.EqualTo(new[] { 1, -1, -2 }));
        Assert.That(Numbers("HTTL", "h", "FIELDS", "1", "a"), Is.EqualTo(new[] { -1 }));
        Assert.That(Numbers("HTTL", "nope", "FIELDS", "2", "a", "b"), Is.EqualTo(new[] { -2, -2 }));
        Assert.That(Numbers("HEXPIRE", "nope", "9", "FIELDS", "2", "a", "b"), Is.EqualTo(new[] { -2, -2 }));
        Assert.That(Numbers("HPERSIST", "nope", "FIELDS", "1", "a"), Is.EqualTo(new[] { -2 }));
        Assert.That(Number("EXISTS", "nope"), Is.Zero);
    }

    [Test]
    public void Absolute_times_come_back_and_seconds_are_rounded_up()
    {
        Assert.That(Numbers("HPEXPIREAT", "h", $"{FarFutureMs}", "FIELDS", "1", "a"), Is.EqualTo(new[] { 1 }));
        Assert.That(Call("HPEXPIRETIME", "h", "FIELDS", "1", "a").Items[0].Integer, Is.EqualTo(FarFutureMs));
        Assert.That(Call("HEXPIRETIME", "h", "FIELDS", "1", "a").Items[0].Integer, Is.EqualTo(4_102_444_801));
        Assert.That(Numbers("HEXPIREAT", "h", "4102444800", "FIELDS", "1", "a"), Is.EqualTo(new[] { 1 }));
        Assert.That(Call("HPEXPIRETIME", "h", "FIELDS", "1", "a").Items[0].Integer, Is.EqualTo(4_102_444_800_000));
    }

    [Test]
    public void A_small_hash_is_called_as_Redis_calls_it()
    {
        Assert.That(Encoding("h"), Is.EqualTo("listpack"));
        Call("HEXPIRE", "h", "1000", "FIELDS", "1", "a");
        Assert.That(Encoding("h"), Is.EqualTo("listpackex"));
        Call("HSET", "h", "d", new string('x', 64), "e", "5");
        Call("COPY", "h", "copy");
        Call("RENAME", "h", "moved");
        Call("HPERSIST", "moved", "FIELDS", "1", "a");
        Assert.That(Encoding("moved"), Is.EqualTo("listpackex"));
        Call("HSET", "moved", "d", new string('x', 65));
        Assert.That(Encoding("moved"), Is.EqualTo("hashtable"));
        Assert.That(Encoding("copy"), Is.EqualTo("listpackex"));
        Call(["HSET", "copy", .. Enumerable.Range(0, 507).SelectMany(i => new[] { $"f{i}", "v" })]);
        Assert.That((Number("HLEN", "copy"), Encoding("copy")), Is.EqualTo((512L, "listpackex")));
        Call("HSET", "copy", "one more", "v");
        Assert.That(Encoding("copy"), Is.EqualTo("hashtable"));
        Call("HDEL", "copy", "one more");
        Call("HEXPIRE", "copy", "1000", "FIELDS", "1", "b");
        Assert.That(Encoding("copy"), Is.EqualTo("hashtable"));

        string Encoding(string key) => Call("OBJECT", "ENCODING", key).Text;
    }

    [Test]
    public void Fields_that_have_expired_count_until_they_are_deleted()
    {
        using var server = StartWith("--enable-debug-command", "yes");
        using var connection = server.Connect();
        _ = connection.Call("DEBUG", "SET-ACTIVE-EXPIRE", "0");
        _ = connection.Call("HSET", "h", "a", "1", "b", "2");
        _ = connection.Call("HPEXPIRE", "h", "1", "FIELDS", "1", "a");
        Thread.Sleep(20);
        Assert.That(connection.Call("HLEN", "h").Integer, Is.EqualTo(2));
        Assert.That(connection.Call("HLEN", "h").Integer, Is.EqualTo(2), "it was not deleted by being counted");
        Assert.That(connection.Call("HGET", "h", "a").IsNull, Is.True);
        Assert.That(connection.Call("HLEN", "h").Integer, Is.EqualTo(1));
    }

    [TestCase("NX", 0, 1, 0)]
    [TestCase("XX", 1, 0, 1)]
    [TestCase("gt", 1, 0, 0)]
    [TestCase("lt", 0, 1, 1)]
    public void Conditions_compare_with_the_present_time(string word, int later, int none, int earlier)
    {
        Call("HEXPIRE", "h", "1000", "FIELDS", "1", "a");
        Assert.That(Numbers("HEXPIRE", "h", "2000", word, "FIELDS", "1", "a"), Is.EqualTo(new[] { later }));
        Assert.That(Numbers("HEXPIRE", "h", "100", word, "FIELDS", "1", "a"), Is.EqualTo(new[] { earlier }));
        Assert.That(Numbers("HEXPIRE", "h", "2000", word, "FIELDS", "1", "b"), Is.EqualTo(new[] { none }));
    }

    [Test]
    public void A_time_that_has_passed_deletes_at_once_and_the_key_with_the_last_field()
    {
        Assert.That(Numbers("HEXPIRE", "h", "0", "FIELDS", "1", "a"), Is.EqualTo(new[] { 2 }));
        Assert.That(Number("HLEN", "h"), Is.EqualTo(2));
        Assert.That(Numbers("HPEXPIREAT", "h", "1", "FIELDS", "3", "b", "c", "a"), Is.EqualTo(new[] { 2, 2, -2 }));
        Assert.That(Number("EXISTS", "h"), Is.Zero);
    }

    [Test]
    public void Setting_a_field_takes_its_time_off_and_counting_does_not()
    {
        Call("HEXPIRE", "h", "1000", "FIELDS", "3", "a", "b", "c");
        Call("HSET", "h", "a", "5");
        Call("HINCRBY", "h", "b", "100000");
        Call("HINCRBYFLOAT", "h", "c", "0.5");
        var times = Numbers("HTTL", "h", "FIELDS", "3", "a", "b", "c");
        Assert.That(times[0], Is.EqualTo(-1));
        Assert.That(times[1..], Is.All.InRange(900, 1000));
        Assert.That(Call("HGET", "h", "b").Text, Is.EqualTo("100002"));
    }

    [Test]
    public void An_expired_field_is_gone_for_every_command()
    {
        Call("HPEXPIRE", "h", "30", "FIELDS", "2", "a", "b");
        Thread.Sleep(60);
        Assert.That(Call("HGET", "h", "a").IsNull, Is.True);
        Assert.That(Number("HLEN", "h"), Is.EqualTo(1));
        Assert.That(Number("HEXISTS", "h", "b"), Is.Zero);
        Assert.That(Call("HGETALL", "h").Items.Select(item => item.Text), Is.EqualTo(new[] { "c", "3" }));
        Assert.That(Call("HSCAN", "h", "0").Items[1].Items, Has.Count.EqualTo(2));
        Assert.That(Call("HRANDFIELD", "h").Text, Is.EqualTo("c"));
        Assert.That(Number("HSET", "h", "a", "9"), Is.EqualTo(1));
        Assert.That(Numbers("HTTL", "h", "FIELDS", "1", "a"), Is.EqualTo(new[] { -1 }));
    }

    [Test]
    public void The_background_cycle_deletes_fields_and_keys_that_nobody_asks_for()
    {
        for (var i = 0; i < 50; i++)
        {
            Call("HSET", $"many:{i}", "a", "1", "b", "2");
            string[] fields = i % 2 == 0 ? ["a"] : ["a", "b"];
            Call(["HPEXPIRE", $"many:{i}", "20", "FIELDS", $"{fields.Length}", .. fields]);
        }

        Assert.That(() => Number("DBSIZE"), Is.EqualTo(26).After(Patience.Ms, 20), "25 of 50, and the other hash");
        Assert.That(Call("HGETALL", "many:0").Items, Has.Count.EqualTo(2));
    }

    [TestCase("RENAME", "copied")]
    [TestCase("COPY", "copied")]
    public void Times_go_along_with_the_hash(string verb, string name)
    {
        for (var i = 0; i < 20; i++)
        {
            Call("HSET", "source", "a", "1", "b", "2");
            Call("HPEXPIRE", "source", "50", "FIELDS", "1", "a");
            Call("HEXPIRE", "source", "1000", "FIELDS", "1", "b");
            Call(verb, "source", $"{name}:{i}");
            Assert.That(Numbers("HTTL", $"{name}:{i}", "FIELDS", "1", "b")[0], Is.InRange(900, 1000));
            Call("DEL", "source");
        }

        Thread.Sleep(100);
        for (var i = 0; i < 20; i++)
        {
            Assert.That(Call("HKEYS", $"{name}:{i}").Items.Single().Text, Is.EqualTo("b"));
        }
    }

    [TestCase("HEXPIRE h x FIELDS 1 a", "ERR value is not an integer or out of range")]
    [TestCase("HEXPIRE h -1 FIELDS 1 a", "ERR invalid expire time, must be >= 0")]
    [TestCase("HEXPIRE h 9223372036854775807 FIELDS 1 a", "ERR invalid expire time in 'hexpire' command")]
    [TestCase("HPEXPIREAT h 70368744177664 FIELDS 1 a", "ERR invalid expire time in 'hpexpireat' command")]
    [TestCase("HEXPIRE h 1 FIELD 1 a", "ERR Mandatory argument FIELDS is missing or not at the right position")]
    [TestCase("HEXPIRE h 1 NX XX FIELDS 1 a", "ERR Mandatory argument FIELDS is missing or not at the right position")]
    [TestCase("HEXPIRE h 1 FIELDS 0 a", "ERR Parameter `numFields` should be greater than 0")]
    [TestCase("HEXPIRE h 1 FIELDS 2 a", "ERR The `numfields` parameter must match the number of arguments")]
    [TestCase("HEXPIRE h 1 NX FIELDS 1", "ERR The `numfields` parameter must match the number of arguments")]
    [TestCase("HTTL h FIELDS x a", "ERR Number of fields must be a positive integer")]
    [TestCase("HPERSIST h FIELDS 2 a", "ERR The `numfields` parameter must match the number of arguments")]
    [TestCase("HTTL h FIELDS 1", "ERR wrong number of arguments for 'httl' command")]
    public void What_is_wrong_is_refused(string command, string error)
        => Assert.That(Call(command.Split(' ')), Is.EqualTo(Error(error)));

    [Test]
    public void Another_type_is_refused_first()
    {
        Call("SET", "s", "1");
        foreach (var command in (string[])["HEXPIRE s x y z q", "HTTL s x y z", "HPERSIST s x y z"])
        {
            Assert.That(Call(command.Split(' ')).Text, Does.StartWith("WRONGTYPE"), command);
        }
    }

    private long[] Numbers(params string[] arguments) => [.. Call(arguments).Items.Select(item => item.Integer)];
}
