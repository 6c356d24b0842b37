using System.Globalization;
using NUnit.Framework;
using Strata.Tests.Support;

namespace Strata.Tests.Server.Commands.Keys;

/// <summary>EXPIRE and its like, TTL and its like, PERSIST.</summary>
[TestFixture(ServerKind.Strata)]
[TestFixture(ServerKind.Redis)]
public sealed class ExpirationTests(ServerKind kind) : KeysFixture(kind)
{
    // Far enough away that the minutes which the tests before may take do not matter.
    private static readonly long s_soon = DateTimeOffset.UtcNow.ToUnixTimeSeconds() + 100_000;

    [TestCase("EXPIRE", "100000")]
    [TestCase("PEXPIRE", "100000000")]
    [TestCase("EXPIREAT", null)]
    [TestCase("PEXPIREAT", null)]
    public void A_time_is_set_and_told_in_all_four_ways(string verb, string? time)
    {
        Call("SET", "k", "v");
        time ??= Text(verb[0] == 'P' ? s_soon * 1000 : s_soon);
        Assert.That(Number(verb, "k", time), Is.EqualTo(1));
        Assert.That(Number("TTL", "k"), Is.EqualTo(100_000).Within(5_000));
        Assert.That(Number("PTTL", "k"), Is.EqualTo(100_000_000).Within(5_000_000));
        Assert.That(Number("EXPIRETIME", "k"), Is.EqualTo(s_soon).Within(5_000));
        Assert.That(Number("PEXPIRETIME", "k"), Is.EqualTo(s_soon * 1000).Within(5_000_000));
        Assert.That(Call("GET", "k").Text, Is.EqualTo("v"));
        Assert.That(Number(verb, "nope", time), Is.Zero);
    }

    [Test]
    public void Without_a_time_or_a_key_minus_one_and_minus_two_are_told(
        [Values("TTL", "PTTL", "EXPIRETIME", "PEXPIRETIME")] string verb)
    {
        Call("SET", "k", "v");
        Assert.That(Number(verb, "k"), Is.EqualTo(-1));
        Assert.That(Number(verb, "nope"), Is.EqualTo(-2));
    }

    [Test]
    public void Seconds_are_rounded_to_the_nearest()
    {
        Call("SET", "k", "v", "PXAT", "99999999999499");
        Assert.That(Number("EXPIRETIME", "k"), Is.EqualTo(99999999999));
        Call("SET", "k", "v", "PXAT", "99999999999500");
        Assert.That(Number("EXPIRETIME", "k"), Is.EqualTo(100000000000));
        Assert.That(Number("PEXPIREAT", "k", "9223372036854775807"), Is.EqualTo(1));
        Assert.That(Number("PEXPIRETIME", "k"), Is.EqualTo(long.MaxValue));
    }

    [TestCase("EXPIRE", "0")]
    [TestCase("EXPIRE", "-1")]
    [TestCase("PEXPIRE", "-9223372036854775808")]
    [TestCase("EXPIREAT", "1")]
    [TestCase("PEXPIREAT", "-1")]
    public void A_time_that_has_passed_deletes_the_key(string verb, string time)
    {
        Call("SET", "k", "v");
        Assert.That(Number(verb, "k", time), Is.EqualTo(1));
        Assert.That(Number("EXISTS", "k"), Is.Zero);
        Assert.That(Number(verb, "k", time), Is.Zero);
    }

    // present and new time in seconds from s_soon on; no present one: the key does not expire.
    [TestCase(null, 5, "NX", true)]
    [TestCase(1, 5, "NX", false)]
    [TestCase(null, 5, "XX", false)]
    [TestCase(1, 5, "XX", true)]
    [TestCase(null, 5, "GT", false)]
    [TestCase(1, 5, "GT", true)]
    [TestCase(5, 5, "GT", false)]
    [TestCase(5, 1, "GT", false)]
    [TestCase(null, 5, "LT", true)]
    [TestCase(1, 5, "LT", false)]
    [TestCase(5, 5, "LT", false)]
    [TestCase(5, 1, "LT", true)]
    [TestCase(null, 5, "XX LT", false)]
    [TestCase(5, 1, "lt xx", true)]
    [TestCase(1, 5, "Xx gT", true)]
    public void Options_decide_by_the_present_time(int? present, int wanted, string options, bool sets)
    {
        Call("SET", "k", "v");
        if (present != null)
        {
            Call("EXPIREAT", "k", Text(s_soon + present.Value));
        }

        string[] command = ["EXPIREAT", "k", Text(s_soon + wanted), .. options.Split(' ')];
        Assert.That(Number(command), Is.EqualTo(sets ? 1 : 0));
        var expected = sets ? s_soon + wanted : present == null ? -1 : s_soon + present.Value;
        Assert.That(Number("EXPIRETIME", "k"), Is.EqualTo(expected));
    }

    [TestCase("EXPIRE k 10 NX XX", "ERR NX and XX, GT or LT options at the same time are not compatible")]
    [TestCase("EXPIRE k 10 LT NX", "ERR NX and XX, GT or LT options at the same time are not compatible")]
    [TestCase("EXPIRE k 10 GT LT", "ERR GT and LT options at the same time are not compatible")]
    [TestCase("EXPIRE k 10 Sometimes", "ERR Unsupported option Sometimes")]
    [TestCase("EXPIRE k ten Sometimes", "ERR Unsupported option Sometimes")]
    [TestCase("EXPIRE k ten", "ERR value is not an integer or out of range")]
    [TestCase("EXPIRE k 1.5", "ERR value is not an integer or out of range")]
    [TestCase("EXPIRE k 9223372036854775807", "ERR invalid expire time in 'expire' command")]
    [TestCase("EXPIRE nope -9223372036854775808", "ERR invalid expire time in 'expire' command")]
    [TestCase("PEXPIRE k 9223372036854775807", "ERR invalid expire time in 'pexpire' command")]
    [TestCase("EXPIREAT k 9223372036854775807", "ERR invalid expire time in 'expireat' command")]
    [TestCase("EXPIRE k", "ERR wrong number of arguments for 'expire' command")]
    public void Mistakes_are_answered_with_redis_texts_and_change_nothing(string command, string error)
    {
        Call("SET", "k", "v");
        Assert.That(Call(command.Split(' ')), Is.EqualTo(Error(error)));
        Assert.That(Number("TTL", "k"), Is.EqualTo(-1));
    }

    [Test]
    public void Persist_takes_the_time_off_once()
    {
        Call("SET", "k", "v", "EX", "100");
        Assert.That(Number("PERSIST", "k"), Is.EqualTo(1));
        Assert.That(Number("PERSIST", "k"), Is.Zero);
        Assert.That(Number("PERSIST", "nope"), Is.Zero);
        Assert.That(Number("TTL", "k"), Is.EqualTo(-1));
        Assert.That(Call("GET", "k").Text, Is.EqualTo("v"));
    }

    private static string Text(long number) => number.ToString(CultureInfo.InvariantCulture);
}
