using System.Text;
using NUnit.Framework;
using Strata.Bench;
using Strata.Bench.Keys;
using Strata.Bench.Load;

namespace Strata.Tests.Bench;

public sealed class CommandTemplateTests
{
    [Test]
    public void A_key_is_the_same_throughout_a_request_and_the_next_one_another()
    {
        var keys = new SequentialKeys(first: 37, end: 41);
        var template = CommandTemplate.ParseAll("ZADD z{key/10} {key} m{key%10} n{next} {key/2}", seed: 1)[0];
        Assert.Multiple(() =>
        {
            Assert.That(Write(template, keys), Is.EqualTo(
                "*6|$4|ZADD|$10|z000000003|$9|000000037|$10|m000000007|$10|n000000038|$9|000000019|"));
            Assert.That(Write(template, keys), Does.Contain("|000000039|").And.Contain("|n000000040|"));
            Assert.That(Write(template, keys), Is.Null);
        });
    }

    [Test]
    public void Random_numbers_are_below_their_limit_and_independent_of_each_other()
    {
        var template = CommandTemplate.ParseAll("SADD {random:3} {random:3}", seed: 1)[0];
        var seen = new HashSet<string>();
        for (var i = 0; i < 500; i++)
        {
            seen.Add(Write(template, new SequentialKeys(0, 0))!);
        }

        var all = from a in Enumerable.Range(0, 3)
                  from b in Enumerable.Range(0, 3)
                  select $"*3|$4|SADD|$9|00000000{a}|$9|00000000{b}|";
        Assert.That(seen, Is.EquivalentTo(all));
    }

    [Test]
    public void Another_seed_draws_other_numbers()
    {
        var written = new ulong[] { 1, 1, 2 }.Select(seed => Write(
            CommandTemplate.ParseAll("GET {random:1000000000}", seed)[0], new SequentialKeys(0, 0))).ToList();
        Assert.Multiple(() =>
        {
            Assert.That(written[1], Is.EqualTo(written[0]));
            Assert.That(written[2], Is.Not.EqualTo(written[0]));
        });
    }

    [Test]
    public void Commands_are_separated_and_data_has_its_length()
    {
        var templates = CommandTemplate.ParseAll(" PING ; SET a{b {data:20}c;", seed: 1);
        Assert.Multiple(() =>
        {
            Assert.That(templates, Has.Length.EqualTo(2));
            Assert.That(Write(templates[0], new SequentialKeys(0, 0)), Is.EqualTo("*1|$4|PING|"));
            Assert.That(Write(templates[1], new SequentialKeys(0, 0)),
                Does.Match(@"^\*3\|\$3\|SET\|\$3\|a\{b\|\$21\|[a-z]{20}c\|$"));
        });
    }

    [Test]
    public void Words_in_quotes_keep_their_blanks_and_semicolons()
    {
        var templates = CommandTemplate.ParseAll("EVAL 'return {1}; ' 0;EVAL \"x = {key}\" it's", seed: 1);
        Assert.Multiple(() =>
        {
            Assert.That(templates, Has.Length.EqualTo(2));
            Assert.That(Write(templates[0], new SequentialKeys(0, 0)),
                Is.EqualTo("*3|$4|EVAL|$12|return {1}; |$1|0|"));
            Assert.That(Write(templates[1], new SequentialKeys(7, 8)),
                Is.EqualTo("*3|$4|EVAL|$13|x = 000000007|$4|it's|"));
        });
    }

    [TestCase("EVAL 'return", "--command has a quote that does not end: 'return")]
    [TestCase("GET {what}", "--command has {what}")]
    [TestCase("GET {random:0}", "--command has {random:0}")]
    [TestCase("GET {random:1000000001}", "--command has {random:1000000001}")]
    [TestCase("GET {key%0}", "--command has {key%0}")]
    [TestCase("GET {key/x}", "--command has {key/x}")]
    [TestCase("SET a {data:536870913}", "--command has {data:536870913}")]
    [TestCase(" ; ", "--command is empty")]
    public void What_is_wrong_is_named(string command, string message)
    {
        var error = Assert.Throws<BenchException>(() => CommandTemplate.ParseAll(command, seed: 1));
        Assert.That(error!.Message, Does.Contain(message));
    }

    /// <summary>A request with bars for the ends of lines; null when there is none.</summary>
    private static string? Write(CommandTemplate template, IKeySource keys)
    {
        var bytes = new byte[template.SizeBytes];
        return template.TryWrite(bytes, keys)
            ? Encoding.ASCII.GetString(bytes).Replace("\r\n", "|", StringComparison.Ordinal)
            : null;
    }
}
