using NUnit.Framework;
using Strata.Tests.Support;

namespace Strata.Tests.Server.Commands.Keys;

/// <summary>KEYS, SCAN, RANDOMKEY, DBSIZE.</summary>
[TestFixture(ServerKind.Strata)]
[TestFixture(ServerKind.Redis)]
public sealed class IterationTests(ServerKind kind) : KeysFixture(kind)
{
    [Test]
    public void Keys_gives_what_the_pattern_matches_and_no_expired_key()
    {
        Fill("hello", "hallo", "hxllo", "h", "h[llo", "other");
        Call("SET", "hgone", "v", "PX", "1");
        Thread.Sleep(5);
        Assert.That(Texts(Call("KEYS", "h?llo")), Is.EquivalentTo(["hello", "hallo", "hxllo", "h[llo"]));
        Assert.That(Texts(Call("KEYS", "h[ae]llo")), Is.EquivalentTo(["hello", "hallo"]));
        Assert.That(Texts(Call("KEYS", "h\\[*")), Is.EquivalentTo(["h[llo"]));
        Assert.That(Texts(Call("KEYS", "*")), Has.Length.EqualTo(6));
        Assert.That(Call("KEYS", "nothing*"), Is.EqualTo(RespValue.Array()));
    }

    [Test]
    public void Dbsize_counts_the_keys()
    {
        Assert.That(Number("DBSIZE"), Is.Zero);
        Fill(Names(300));
        Assert.That(Number("DBSIZE"), Is.EqualTo(300));
        Call("DEL", "key7", "key8");
        Assert.That(Number("DBSIZE"), Is.EqualTo(298));
    }

    [Test]
    public void Randomkey_gives_every_key_sometime_and_null_without_any()
    {
        Assert.That(Call("RANDOMKEY").IsNull);
        Fill("a", "b", "c");
        var drawn = Enumerable.Range(0, 200).Select(_ => Call("RANDOMKEY").Text).ToHashSet();
        Assert.That(drawn, Is.EquivalentTo(["a", "b", "c"]));
    }

    [Test]
    public void Scan_meets_all_keys_in_pages_of_about_the_count([Values(10, 1000)] int count)
    {
        Fill(Names(3000));
        var met = new List<string>();
        var cursor = "0";
        do
        {
            var page = Call("SCAN", cursor, "COUNT", $"{count}");
            cursor = page.Items[0].Text;
            Assert.That(page.Items[1].Items, Has.Count.LessThan(count + 50), "a page ends soon after the count");
            met.AddRange(Texts(page.Items[1]));
        }
        while (cursor != "0");
        Assert.That(met.Distinct(), Is.EquivalentTo(Names(3000)));
    }

    [Test]
    public void Scan_filters_by_pattern_and_type_and_leaves_out_expired_keys()
    {
        Fill(Names(300));
        Call("SET", "key1gone", "v", "PX", "1");
        Thread.Sleep(5);
        Assert.That(Scan("MATCH", "key1?"), Is.EquivalentTo(Enumerable.Range(10, 10).Select(i => $"key{i}")));
        Assert.That(Scan("TYPE", "String", "MATCH", "*"), Is.EquivalentTo(Names(300)));
        Assert.That(Scan("TYPE", "zset", "COUNT", "100"), Is.Empty);
        Assert.That(Scan("TYPE", "nonsense"), Is.Empty);
    }

    /// <summary>While one connection scans, others grow the database to many times its size and empty it again.
    /// </summary>
    [Test]
    public void Scan_meets_every_key_that_stays_while_others_come_and_go([Values(10, 100)] int count)
    {
        Fill(Names(500));
        var met = new HashSet<string>();
        var cursor = "0";
        var step = 0;
        do
        {
            var page = Call("SCAN", cursor, "COUNT", $"{count}");
            cursor = page.Items[0].Text;
            met.UnionWith(Texts(page.Items[1]));
            Disturb(step++);
        }
        while (cursor != "0" && step < 2000);
        Assert.That(cursor, Is.EqualTo("0"));
        Assert.That(met, Is.SupersetOf(Names(500)));
    }

    [TestCase("1")]
    [TestCase("17")]
    [TestCase("4294967296")]
    [TestCase("9223372036854775808")]
    [TestCase("18446744073709551615")]
    [TestCase("-1")]
    public void Any_number_is_a_safe_cursor(string cursor)
    {
        Fill(Names(300));
        var rounds = 0;
        do
        {
            cursor = Call("SCAN", cursor).Items[0].Text;
        }
        while (cursor != "0" && ++rounds < 1000);
        Assert.That(cursor, Is.EqualTo("0"));
    }

    [TestCase("SCAN one", "ERR invalid cursor")]
    [TestCase("SCAN 1a", "ERR invalid cursor")]
    [TestCase("SCAN -", "ERR invalid cursor")]
    [TestCase("SCAN 18446744073709551616", "ERR invalid cursor")]
    [TestCase("SCAN one COUNT 0", "ERR invalid cursor")]
    [TestCase("SCAN 0 COUNT 0", "ERR syntax error")]
    [TestCase("SCAN 0 COUNT -5", "ERR syntax error")]
    [TestCase("SCAN 0 COUNT ten", "ERR value is not an integer or out of range")]
    [TestCase("SCAN 0 COUNT", "ERR syntax error")]
    [TestCase("SCAN 0 MATCH", "ERR syntax error")]
    [TestCase("SCAN 0 Backwards yes", "ERR syntax error")]
    [TestCase("KEYS", "ERR wrong number of arguments for 'keys' command")]
    public void Mistakes_are_answered_with_redis_texts(string command, string error)
        => Assert.That(Call(command.Split(' ')), Is.EqualTo(Error(error)));

    private static string[] Names(int count) => [.. Enumerable.Range(0, count).Select(i => $"key{i}")];

    private static string[] Texts(RespValue array) => [.. array.Items.Select(item => item.Text)];

    private HashSet<string> Scan(params string[] options)
    {
        var met = new HashSet<string>();
        var cursor = "0";
        do
        {
            var page = Call(["SCAN", cursor, .. options]);
            cursor = page.Items[0].Text;
            met.UnionWith(Texts(page.Items[1]));
        }
        while (cursor != "0");
        return met;
    }

    private void Fill(params string[] names)
    {
        foreach (var name in names)
        {
            Connection.Send("SET", name, "v");
        }

        foreach (var _ in names)
        {
            Assert.That(Connection.ReadReply().Text, Is.EqualTo("OK"));
        }
    }

    private void Disturb(int step)
    {
        const int Batch = 100;
        const int Steps = 40;
        var batch = step % Steps < Steps / 2 ? step % Steps : Steps - 1 - (step % Steps);
        var names = Enumerable.Range(batch * Batch, Batch).Select(i => $"passing{i}").ToArray();
        if (step % Steps < Steps / 2)
        {
            Fill(names);
        }
        else
        {
            Assert.That(Number(["DEL", .. names]), Is.EqualTo(Batch));
        }
    }
}
