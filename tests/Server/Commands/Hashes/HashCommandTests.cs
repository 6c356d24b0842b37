using NUnit.Framework;
using Strata.Tests.Server.Commands.Keys;
using Strata.Tests.Support;

namespace Strata.Tests.Server.Commands.Hashes;

/// <summary>What the oracle does not reach: calls of several steps, and drawing at random.</summary>
[TestFixture(ServerKind.Strata)]
[TestFixture(ServerKind.Redis)]
public sealed class HashCommandTests(ServerKind kind) : KeysFixture(kind)
{
    [TestCase(5)]
    [TestCase(2000)]
    public void Hscan_meets_every_field_that_stays(int fields)
    {
        Fill(fields);
        var met = new HashSet<string>();
        var cursor = "0";
        var calls = 0;
        do
        {
            var reply = Call("HSCAN", "h", cursor, "COUNT", "20");
            cursor = reply.Items[0].Text;
            met.UnionWith(reply.Items[1].Items.Where((_, i) => i % 2 == 0).Select(item => item.Text));
            Call("HSET", "h", $"new {calls++}", "1");
        }
        while (cursor != "0");

        Assert.That(Enumerable.Range(0, fields).Where(i => !met.Contains($"f{i}")), Is.Empty);
        Assert.That(calls, Is.GreaterThan(fields / 200));
    }

    [TestCase(5, "1")]
    [TestCase(5, "1000000")]
    [TestCase(40_000, "1000000")]
    public void Hscan_leaves_values_out_since_7_4(int fields, string count)
    {
        Fill(fields);
        if (Kind == ServerKind.Redis)
        {
            Assert.That(Call("HSCAN", "h", "0", "NOVALUES").Text, Is.EqualTo("ERR syntax error"));
            Assert.Ignore("NOVALUES came with Redis 7.4.");
        }

        var reply = Call("HSCAN", "h", "0", "NOVALUES", "COUNT", count, "MATCH", "f*");
        Assert.That(reply.Items[0].Text, Is.EqualTo("0"));
        Assert.That(reply.Items[1].Items.Select(item => item.Text),
            Is.EquivalentTo(Enumerable.Range(0, fields).Select(i => $"f{i}")));
        Call("SADD", "s", "a");
        Call("ZADD", "z", "1", "a");
        const string Refusal = "ERR NOVALUES option can only be used in HSCAN";
        Assert.That(Call("SSCAN", "s", "0", "NOVALUES").Text, Is.EqualTo(Refusal));
        Assert.That(Call("ZSCAN", "z", "0", "COUNT", "1", "NOVALUES").Text, Is.EqualTo(Refusal));
        Assert.That(Call("SCAN", "0", "NOVALUES").Text, Is.EqualTo(Refusal));
    }

    [TestCase(5, 3)]
    [TestCase(1000, 10)]
    [TestCase(1000, 900)]
    public void Hrandfield_gives_different_fields_with_their_values(int fields, int count)
    {
        Fill(fields);
        var items = Call("HRANDFIELD", "h", $"{count}", "WITHVALUES").Items;
        var names = items.Where((_, i) => i % 2 == 0).Select(item => item.Text).ToList();
        Assert.That(names, Has.Count.EqualTo(count));
        Assert.That(names, Is.Unique);
        Assert.That(items.Where((_, i) => i % 2 == 1).Select(item => item.Text),
            Is.EqualTo(names.Select(name => name.Replace('f', 'v'))));
    }

    [TestCase(5)]
    [TestCase(1000)]
    public void Hrandfield_with_a_negative_count_may_repeat(int fields)
    {
        Fill(fields);
        var names = Call("HRANDFIELD", "h", "-3000").Items.Select(item => item.Text).ToList();
        Assert.That(names, Has.Count.EqualTo(3000));
        Assert.That(names.Distinct().Count(), Is.GreaterThan(fields * 9 / 10).And.LessThanOrEqualTo(fields));
    }

    [Test]
    public void A_hash_of_many_fields_keeps_them_and_gives_them_back()
    {
        const int Fields = 20_000;
        Fill(Fields);
        Assert.That(Number("HLEN", "h"), Is.EqualTo(Fields));
        Assert.That(Call("HGETALL", "h").Items, Has.Count.EqualTo(2 * Fields));
        for (var i = 0; i < Fields; i += 100)
        {
            Call(["HDEL", "h", .. Enumerable.Range(i, 100).Select(n => $"f{n}")]);
        }

        Assert.That(Number("EXISTS", "h"), Is.Zero);
    }

    private void Fill(int fields)
    {
        for (var i = 0; i < fields; i += 100)
        {
            var some = Enumerable.Range(i, Math.Min(100, fields - i));
            Call(["HSET", "h", .. some.SelectMany(n => new[] { $"f{n}", $"v{n}" })]);
        }
    }
}
