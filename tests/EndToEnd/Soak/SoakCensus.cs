using System.Diagnostics;
using NUnit.Framework;
using Strata.Tests.Support;

namespace Strata.Tests.EndToEnd.Soak;

/// <summary>Counts what is there in every way there is. No client writes meanwhile.</summary>
internal static class SoakCensus
{
    private const int DeadlineMs = 120_000;

    /// <summary>Waits until nothing is left that expires: the server deletes it without being asked.</summary>
    public static void WaitForExpiry(RespConnection connection)
    {
        var clock = Stopwatch.StartNew();
        while (ServerInfo.Read(connection, "keyspace").Contains("expires=", StringComparison.Ordinal)
            && !HasNoExpiries(ServerInfo.Read(connection, "keyspace")))
        {
            Assert.That(clock.ElapsedMilliseconds, Is.LessThan(DeadlineMs), () =>
                $"keys that have expired are there:\n{ServerInfo.Read(connection, "keyspace")}");
            Thread.Sleep(20);
        }
    }

    /// <summary>Fails the test unless all counts of a database agree.</summary>
    /// <returns>The keys.</returns>
    public static int Take(RespConnection connection, int database)
    {
        Assert.That(connection.Call("SELECT", SoakTraffic.Text(database)).Text, Is.EqualTo("OK"));
        foreach (var key in Keys(connection))
        {
            CountElements(connection, key);
        }

        // Fields that had expired may have taken their hashes along with them, when these were looked at.
        var clock = Stopwatch.StartNew();
        while (true)
        {
            var before = connection.Call("DBSIZE").Integer;
            var keys = Keys(connection).Count;
            if (connection.Call("DBSIZE").Integer == before)
            {
                Assert.That(keys, Is.EqualTo(before), $"SCAN and DBSIZE of database {database}");
                Assert.That(connection.Call("KEYS", "*").Items, Has.Count.EqualTo(keys));
                return keys;
            }

            Assert.That(clock.ElapsedMilliseconds, Is.LessThan(DeadlineMs), "keys come or go, and nobody writes");
        }
    }

    private static bool HasNoExpiries(string keyspace)
        => keyspace.Split("expires=")[1..].All(text => text.StartsWith("0,", StringComparison.Ordinal));

    private static HashSet<string> Keys(RespConnection connection)
        => [.. Scan(connection, ["SCAN"]).Select(key => key.Text)];

    private static List<RespValue> Scan(RespConnection connection, string[] command)
    {
        var all = new List<RespValue>();
        var cursor = "0";
        do
        {
            var reply = connection.Call([.. command, cursor, "COUNT", "1000"]);
            Assert.That(reply.IsError, Is.False, reply.ToString());
            cursor = reply.Items[0].Text;
            all.AddRange(reply.Items[1].Items);
        }
        while (cursor != "0");
        return all;
    }

    private static void CountElements(RespConnection connection, string key)
    {
        var type = connection.Call("TYPE", key).Text;
        switch (type)
        {
            case "hash":
                CountHash(connection, key);
                break;
            case "list":
                var items = connection.Call("LRANGE", key, "0", "-1").Items;
                Assert.That(items, Has.Count.EqualTo(connection.Call("LLEN", key).Integer), key);
                break;
            case "set":
                var members = Scan(connection, ["SSCAN", key]).Select(member => member.Text).ToHashSet();
                Assert.That(members, Has.Count.EqualTo(connection.Call("SCARD", key).Integer), key);
                break;
            case "zset":
                CountSortedSet(connection, key);
                break;
            case "stream":
                var entries = connection.Call("XRANGE", key, "-", "+").Items;
                Assert.That(entries, Has.Count.EqualTo(connection.Call("XLEN", key).Integer), key);
                break;
            case "string":
                Assert.That(connection.Call("GET", key).IsNull, Is.False, key);
                break;
            default:
                Assert.That(type, Is.EqualTo("none"), key); // the last of its fields had expired
                break;
        }
    }

    /// <summary>HLEN counts fields whose time has come until they are deleted, which reading them does; some may go
    /// between the two.</summary>
    private static void CountHash(RespConnection connection, string key)
    {
        var clock = Stopwatch.StartNew();
        while (true)
        {
            var pairs = Scan(connection, ["HSCAN", key]).Chunk(2).ToList();
            Assert.That(pairs.Select(pair => pair[0].Text), Is.Unique, key);
            Assert.That(pairs.Select(pair => SoakTraffic.FieldProblem(pair[0].Text, pair[1].Text)), Is.All.Null);
            var fields = connection.Call("HLEN", key).Integer;
            if (fields == pairs.Count)
            {
                return;
            }

            Assert.That(clock.ElapsedMilliseconds, Is.LessThan(DeadlineMs), $"{key}: {pairs.Count} fields, {fields}");
        }
    }

    private static void CountSortedSet(RespConnection connection, string key)
    {
        var count = connection.Call("ZCARD", key).Integer;
        var pairs = connection.Call("ZRANGE", key, "0", "-1", "WITHSCORES").Items.Chunk(2).ToList();
        Assert.That(pairs, Has.Count.EqualTo(count), key);
        Assert.That(pairs.Select(pair => pair[0].Text).Distinct().Count(), Is.EqualTo(count), key);
        Assert.That(pairs.Select(pair => pair[1].Integer), Is.Ordered, key);
    }
}
