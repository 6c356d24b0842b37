using NUnit.Framework;
using Strata.Tests.Server.Commands.Keys;
using Strata.Tests.Support;

namespace Strata.Tests.Server.Commands.SortedSets;

/// <summary>What the oracle's Redis 7.0 does not know or does by chance.</summary>
[TestFixture(ServerKind.Strata)]
public sealed class SortedSetTests(ServerKind kind) : KeysFixture(kind)
{
    private const int Members = 1_000;

    [Test]
    public void Scores_are_doubles_in_RESP3()
    {
        Call("ZADD", "z", "0.1", "a", "inf", "b");
        Assert.That(Call("ZSCORE", "z", "a"), Is.EqualTo(RespValue.Bulk("0.1")));
        Call("HELLO", "3");
        Assert.That(Call("ZSCORE", "z", "a"), Is.EqualTo(Double("0.1")));
        var pairs = RespValue.Array(
            RespValue.Array(RespValue.Bulk("a"), Double("0.1")), RespValue.Array(RespValue.Bulk("b"), Double("inf")));
        Assert.That(Call("ZRANGE", "z", "0", "-1", "WITHSCORES"), Is.EqualTo(pairs));
    }

    [Test]
    public void A_rank_comes_with_its_score()
    {
        Call("ZADD", "z", "1", "a", "2.5", "b");
        Assert.That(Call("ZRANK", "z", "b", "WithScore"), Is.EqualTo(
            RespValue.Array(RespValue.Number(1), RespValue.Bulk("2.5"))));
        Assert.That(Call("ZREVRANK", "z", "a", "WITHSCORE"), Is.EqualTo(
            RespValue.Array(RespValue.Number(1), RespValue.Bulk("1"))));
        Assert.That(Call("ZRANK", "z", "none", "WITHSCORE").Kind, Is.EqualTo(RespKind.NullArray));
        Assert.That(Call("ZRANK", "none", "a", "WITHSCORE").Kind, Is.EqualTo(RespKind.NullArray));
        Assert.That(Call("ZRANK", "z", "none").Kind, Is.EqualTo(RespKind.NullBulk));
        Assert.That(Call("ZRANK", "z", "a", "X"), Is.EqualTo(Error("ERR syntax error")));
        Assert.That(Call("ZRANK", "z", "a", "WITHSCORE", "X"), Is.EqualTo(
            Error("ERR wrong number of arguments for 'zrank' command")));
    }

    [Test]
    public void A_scan_meets_every_member_while_the_set_grows()
    {
        Fill(Members);
        var met = new HashSet<string>();
        var cursor = "0";
        var added = Members;
        do
        {
            var reply = Call("ZSCAN", "z", cursor, "COUNT", "20");
            cursor = reply.Items[0].Text;
            met.UnionWith(reply.Items[1].Items.Chunk(2).Select(pair => pair[0].Text));
            Call("ZADD", "z", "1", $"m{added++}");
        }
        while (cursor != "0");
        Assert.That(Enumerable.Range(0, Members).Select(i => $"m{i}"), Is.SubsetOf(met));
    }

    [Test]
    public void A_scan_of_a_large_set_writes_scores_as_Redis_does()
    {
        Call("ZADD", "z", "0.1", "a");
        Assert.That(Call("ZSCAN", "z", "0").Items[1].Items[1].Text, Is.EqualTo("0.1"));
        Call("ZADD", "z", "3", new string('x', 65));
        var scan = Call("ZSCAN", "z", "0", "MATCH", "a");
        Assert.That(scan.Items[1].Items[1].Text, Is.EqualTo("0.10000000000000001"));
    }

    [Test]
    public void Random_members_are_members([Values(5, Members)] int members)
    {
        Fill(members);
        var all = Enumerable.Range(0, members).Select(i => $"m{i}").ToList();
        var drawn = Call("ZRANDMEMBER", "z", "4").Items.Select(item => item.Text).ToList();
        Assert.That(drawn, Has.Count.EqualTo(4).And.Unique.And.SubsetOf(all));
        var repeated = Call("ZRANDMEMBER", "z", "-40", "WITHSCORES").Items.Chunk(2).ToList();
        Assert.That(repeated, Has.Count.EqualTo(40));
        Assert.That(repeated.All(pair => $"m{pair[1].Text}" == pair[0].Text));
        Assert.That(all, Does.Contain(Call("ZRANDMEMBER", "z").Text));
    }

    [Test]
    public void The_encoding_is_that_of_the_limits()
    {
        Fill(128);
        Assert.That(Call("OBJECT", "ENCODING", "z").Text, Is.EqualTo("listpack"));
        Fill(129);
        Assert.That(Call("OBJECT", "ENCODING", "z").Text, Is.EqualTo("skiplist"));
        Call("ZRANGESTORE", "y", "z", "0", "127");
        Assert.That(Call("OBJECT", "ENCODING", "y").Text, Is.EqualTo("listpack"));
    }

    private static RespValue Double(string text) => new(RespKind.Double, RespValue.Bulk(text).Bytes);

    private void Fill(int members)
        => Call(["ZADD", "z", .. Enumerable.Range(0, members).SelectMany(i => new[] { $"{i}", $"m{i}" })]);
}
