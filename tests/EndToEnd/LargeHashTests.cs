using System.Globalization;
using NUnit.Framework;
using Strata.Tests.Support;

namespace Strata.Tests.EndToEnd;

/// <summary>Clients that change hashes so large that they go to the disk and come back in many steps, between which
/// they are read, changed, replaced and deleted.</summary>
[Category(TestCategories.Long)]
[TestFixture(1, false)]
[TestFixture(1, true)]
[TestFixture(2, true)]
[TestFixture(4, true)]
internal sealed class LargeHashTests(int workers, bool isOnDisk)
{
    private const int Hashes = 6;
    private const int Fields = 4_000;
    private const int Batch = 8;

    private long _increments;

    [Test]
    public void Increments_are_all_counted()
    {
        using var server = ServerProcess.Start(ServerKind.Strata, [
            "--workers", workers.ToString(CultureInfo.InvariantCulture), "--enable-debug-command", "yes",
            .. isOnDisk ? (string[])["--storage-tier", "yes", "--segment-size", "1mb"] : []]);
        using var reader = server.Connect();
        if (isOnDisk)
        {
            Assert.That(reader.Call("DEBUG", "TIER-EAGER", "1").Text, Is.EqualTo("OK"));
        }

        for (var i = 0; i < Hashes; i++)
        {
            _ = reader.Call(Whole($"hash:{i}"));
        }

        ConcurrentClients.Run(server, [Increment, Increment, Transact, Look, Replace, Peek, Peek]);

        var sum = Enumerable.Range(0, Hashes).Sum(i => reader.Call("HVALS", $"hash:{i}").Items.Sum(
            value => long.Parse(value.Text, CultureInfo.InvariantCulture)));
        Assert.That(sum, Is.EqualTo(_increments));
        if (isOnDisk)
        {
            Assert.That(ServerInfo.Number(reader, "tier", "tier_thawed_collections"), Is.GreaterThan(Hashes));
        }
    }

    private void Increment(RespConnection connection, Random random)
    {
        connection.Send(Enumerable.Range(0, Batch).Select(_ => Increment(random)));
        for (var i = 0; i < Batch; i++)
        {
            Assert.That(connection.ReadReply().Integer, Is.Positive);
        }

        _ = Interlocked.Add(ref _increments, Batch);
    }

    private void Transact(RespConnection connection, Random random)
    {
        connection.Send([
            RespCommand.Of("MULTI"), Increment(random), Increment(random), RespCommand.Of("EXEC")]);
        for (var i = 0; i < 3; i++)
        {
            _ = connection.ReadReply();
        }

        Assert.That(connection.ReadReply().Items, Has.Count.EqualTo(2));
        _ = Interlocked.Add(ref _increments, 2);
    }

    private static void Look(RespConnection connection, Random random)
    {
        var hash = $"hash:{random.Next(Hashes)}";
        Assert.That(connection.Call("HLEN", hash).Integer, Is.EqualTo(Fields));
        Assert.That(connection.Call("HGETALL", hash).Items, Has.Count.EqualTo(2 * Fields));
        Assert.That(connection.Call(random.Next(2) == 0 ? ["PERSIST", hash] : ["EXPIRE", hash, "10000"]).Integer,
            Is.AnyOf(0, 1));
    }

    private static void Replace(RespConnection connection, Random random)
    {
        var key = $"spare:{random.Next(Hashes)}";
        Assert.That(connection.Call(Whole(key)).Integer, Is.EqualTo(Fields));
        if (random.Next(2) == 0)
        {
            Assert.That(connection.Call("SET", key, "0").Text, Is.EqualTo("OK"));
        }

        Assert.That(connection.Call("DEL", key).Integer, Is.EqualTo(1));
    }

    /// <summary>Reads what <see cref="Replace"/> makes: a whole hash, a string, or nothing.</summary>
    private static void Peek(RespConnection connection, Random random)
    {
        var key = $"spare:{random.Next(Hashes)}";
        for (var i = 0; i < 3 * Batch; i++)
        {
            connection.Send("HLEN", key);
            connection.Send("HGET", key, $"field:{random.Next(Fields)}");
        }

        for (var i = 0; i < 3 * Batch; i++)
        {
            var length = connection.ReadReply();
            Assert.That(length.IsError || length.Integer is 0 or Fields, $"{length}");
            var value = connection.ReadReply();
            Assert.That(value.IsNull || value.Text == "0" || value.IsError, $"{value}");
        }
    }

    private static RespCommand Increment(Random random) => RespCommand.Of(
        "HINCRBY", $"hash:{random.Next(Hashes)}", $"field:{random.Next(Fields)}", "1");

    private static string[] Whole(string key)
        => ["HSET", key, .. Enumerable.Range(0, Fields).SelectMany(i => new[] { $"field:{i}", "0" })];
}
