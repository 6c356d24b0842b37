using System.Globalization;
using System.Text.RegularExpressions;
using NUnit.Framework;
using Strata.Tests.Support;

namespace Strata.Tests.EndToEnd;

/// <summary>A maxmemory too small to work with.</summary>
public sealed partial class LeastMemoryTests
{
    [TestCase("1", "1")]
    [TestCase("1", "16")]
    [TestCase("4", "16")]
    [TestCase("2", "256")]
    public void Less_is_refused_by_name_and_the_least_works(string workers, string shards)
    {
        using var server = StrataProcess.Start(
            "--workers", workers, "--shards", shards, "--maxmemory-policy", "allkeys-lru");
        using var client = server.Connect();
        var refusal = client.Call("CONFIG", "SET", "timeout", "9", "maxmemory", "1").Text;
        Assert.That(refusal, Does.StartWith(
            "ERR CONFIG SET failed (possibly related to argument 'maxmemory') - 1 bytes are too few to work with: "));
        var least = long.Parse(NumberAtLeast().Match(refusal).Groups[1].Value, CultureInfo.InvariantCulture);
        Assert.That(Set(client, least - 1), Does.StartWith("ERR"));
        Assert.That(client.Call("CONFIG", "GET", "maxmemory").Items[1].Text, Is.EqualTo("0"));
        Assert.That(client.Call("CONFIG", "GET", "timeout").Items[1].Text, Is.EqualTo("0"));

        // A shard's home worker chooses smaller pages at its next tick.
        Assert.That(Set(client, least), Is.EqualTo("OK"));
        Assert.That(() => FirstLost(client), Is.Null.After(Patience.Ms, 100));
        Assert.That(Set(client, 0), Is.EqualTo("OK"));

        using var second = StrataProcess.Start(
            "--workers", workers, "--shards", shards, "--maxmemory-policy", "allkeys-lru",
            "--maxmemory", least.ToString(CultureInfo.InvariantCulture));
        using var toSecond = second.Connect();
        Assert.That(FirstLost(toSecond), Is.Null);
    }

    /// <summary>The first of many small keys that is refused, or gone as soon as it is set; null when all is well.
    /// </summary>
    private static string? FirstLost(RespConnection client)
    {
        for (var i = 0; i < 3000; i++)
        {
            var (key, value) = ($"key:{i}", $"value of {i}");
            if (client.Call("SET", key, value).Text != "OK" || client.Call("GET", key).Text != value)
            {
                return key;
            }
        }

        return null;
    }

    private static string Set(RespConnection client, long maxMemory)
        => client.Call("CONFIG", "SET", "maxmemory", maxMemory.ToString(CultureInfo.InvariantCulture)).Text;

    [GeneratedRegex("at least ([0-9]+)")]
    private static partial Regex NumberAtLeast();
}
