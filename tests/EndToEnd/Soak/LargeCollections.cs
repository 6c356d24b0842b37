using System.Diagnostics;
using NUnit.Framework;
using Strata.Tests.Support;

namespace Strata.Tests.EndToEnd.Soak;

/// <summary>Builds collections of more than 100,000 elements, one after the other, and lets go of them in every way
/// there is. Each client has keys of its own.</summary>
/// <param name="keepsAll">Whether nothing is evicted, so that they must be whole.</param>
internal sealed class LargeCollections(bool keepsAll)
{
    private const int Elements = 110_000;
    private const int PerCommand = 500;
    private const int PerBatch = 10;

    private int _built;

    /// <summary>Collections that were built.</summary>
    public int Built => _built;

    /// <summary>Builds one and lets go of it.</summary>
    public void Turn(RespConnection connection, Random random)
    {
        var type = random.Next(4);
        var key = $"large {"hash list set zset".Split(' ')[type]} {connection.Socket.LocalEndPoint}";
        SoakTraffic.Execute(connection, [SoakCommand.Of("SELECT", SoakTraffic.Text(random.Next(
            SoakTraffic.Databases))), SoakCommand.Of("UNLINK", key)]);
        for (var first = 0; first < Elements; first += PerBatch * PerCommand)
        {
            SoakTraffic.Execute(connection, [.. Enumerable.Range(0, PerBatch).Select(
                i => Growth(type, key, first + (i * PerCommand)))]);
        }

        if (keepsAll)
        {
            var count = connection.Call("HLEN LLEN SCARD ZCARD".Split(' ')[type], key);
            Assert.That(count, Is.EqualTo(RespValue.Number(Elements)), key);
        }

        _ = Interlocked.Increment(ref _built);
        LetGo(connection, key, random);
    }

    private static SoakCommand Growth(int type, string key, int first)
    {
        var names = Enumerable.Range(first, PerCommand).Select(i => $"element {i}");
        return type switch
        {
            0 => SoakCommand.Of(["HSET", key, .. names.SelectMany(name => new[] { name, name + "=." })]),
            1 => SoakCommand.Of(["RPUSH", key, .. names]),
            2 => SoakCommand.Of(["SADD", key, .. names]),
            _ => SoakCommand.Of(["ZADD", key, .. names.SelectMany((name, i) => new[]
                { SoakTraffic.Text((first + i) * 7919L % 1_000_003), name })]),
        };
    }

    private static void LetGo(RespConnection connection, string key, Random random)
    {
        switch (random.Next(5))
        {
            case 0:
                SoakTraffic.Execute(connection, [SoakCommand.Of("UNLINK", key)]);
                break;
            case 1:
                SoakTraffic.Execute(
                    connection, [SoakCommand.Of("SET", key, "overwritten"), SoakCommand.Of("DEL", key)]);
                break;
            case 2:
                SoakTraffic.Execute(connection, [SoakCommand.Of("PEXPIRE", key, "1")]);
                WaitUntilGone(connection, key);
                break;
            case 3:
                SoakTraffic.Execute(connection, [SoakCommand.Of("PEXPIRE", key, "2000")]);
                break;
            default:
                // It stays: without a tier until it is evicted, else until this client builds the next of its type.
                break;
        }
    }

    private static void WaitUntilGone(RespConnection connection, string key)
    {
        var clock = Stopwatch.StartNew();
        while (connection.Call("EXISTS", key).Integer != 0)
        {
            Assert.That(clock.ElapsedMilliseconds, Is.LessThan(Patience.Ms), $"{key} has expired, and is there");
        }
    }
}
