using System.Buffers.Binary;
using System.Text;
using NUnit.Framework;
using Strata.Server.Rdb;
using Strata.Storage.Memory;
using Strata.Tests.Server.Execution;
using Strata.Tests.Support;

namespace Strata.Tests.Server.Rdb;

/// <summary>Streams in RDB, from redis-server and back to it: the same digest and the same answer to all that XINFO
/// tells; and copied and moved.</summary>
[TestFixture]
internal sealed class StreamPayloadTests
{
    private static readonly string[] s_flags =
        ["--workers", "2", "--shards", "8", "--enable-debug-command", "yes"];

    [Test]
    public void Redis_and_strata_read_what_the_other_writes([Values(1, 2, 3)] int seed)
    {
        using var redis = RedisProcess.Start("--enable-debug-command", "yes", "--sanitize-dump-payload", "yes");
        using var server = new ServerInProcess(device: null, s_flags);
        using var oracle = redis.Connect();
        using var client = server.Connect();
        var random = new Random(seed);
        for (var i = 0; i < 150; i++)
        {
            var type = random.Next(2) == 0 ? RdbType.Stream : RdbType.Stream2;
            var longest = random.Next(10) == 0 ? 400 : 40;

            // Of an old stream without entries Redis makes up the id of its first one.
            var nodes = Math.Max(NodesOf(random), type == RdbType.Stream ? 1 : 0);
            var content = StreamPayload.Make(random, type, nodes, random.Next(4), longest);
            var payload = new PayloadBuilder(content).Payload();
            Assert.That(Restore(oracle, "k", payload).Text, Is.EqualTo("OK"));
            Assert.That(Restore(client, "k", payload).Text, Is.EqualTo("OK"));
            Assert.That(client.Call("TYPE", "k").Text, Is.EqualTo("stream"));
            Assert.That(
                client.Call("DEBUG", "DIGEST-VALUE", "k"), Is.EqualTo(oracle.Call("DEBUG", "DIGEST-VALUE", "k")));

            var written = client.Call("DUMP", "k").Bytes;
            Assert.That(written[0], Is.EqualTo(RdbType.Stream2));
            Assert.That(Restore(oracle, "copy", written).Text, Is.EqualTo("OK"));
            Assert.That(
                oracle.Call("XINFO", "STREAM", "copy", "FULL", "COUNT", "0"),
                Is.EqualTo(oracle.Call("XINFO", "STREAM", "k", "FULL", "COUNT", "0")), $"{seed}, {i}");
            Assert.That(Restore(client, "k", oracle.Call("DUMP", "copy").Bytes).Text, Is.EqualTo("OK"));
            Assert.That(client.Call("DUMP", "k").Bytes, Is.EqualTo(written));
        }
    }

    [Test]
    public void What_was_restored_copied_or_moved_is_the_same([Values(1, 2)] int seed)
    {
        const int Keys = 60;
        using var server = new ServerInProcess(device: null, s_flags);
        using var client = server.Connect();
        var random = new Random(seed);
        var payloads = new byte[Keys][];
        for (var i = 0; i < Keys; i++)
        {
            var content = StreamPayload.Make(
                random, RdbType.Stream3, NodesOf(random), random.Next(4), random.Next(10) == 0 ? 400 : 40);
            var payload = new PayloadBuilder(content).Payload(version: 11);
            Assert.That(Restore(client, $"{i}", payload).Text, Is.EqualTo("OK"));
            payloads[i] = client.Call("DUMP", $"{i}").Bytes;
            Assert.That(Restore(client, $"again:{i}", payloads[i]).Text, Is.EqualTo("OK"));
            Assert.That(client.Call("COPY", $"{i}", $"copy:{i}").Integer, Is.EqualTo(1));
            Assert.That(client.Call("COPY", $"{i}", $"other:{i}").Integer, Is.EqualTo(1));
            Assert.That(client.Call("RENAME", $"other:{i}", $"moved:{i}").Text, Is.EqualTo("OK"));
        }

        for (var i = 0; i < Keys; i++)
        {
            foreach (var name in (string[])["", "again:", "copy:", "moved:"])
            {
                Assert.That(client.Call("DUMP", $"{name}{i}").Bytes, Is.EqualTo(payloads[i]), $"{name}{i}");
            }
        }
    }

    [Test]
    public void Times_that_differ_need_a_newer_version()
    {
        using var server = new ServerInProcess(device: null, s_flags);
        using var client = server.Connect();
        var random = new Random(1);
        var versions = new HashSet<(byte, byte)>();
        for (var i = 0; i < 50; i++)
        {
            var content = StreamPayload.Make(random, RdbType.Stream3, 1, random.Next(2));
            Assert.That(Restore(client, "k", new PayloadBuilder(content).Payload(version: 11)).Text, Is.EqualTo("OK"));
            var payload = client.Call("DUMP", "k").Bytes;
            _ = versions.Add((payload[0], payload[^DumpFooter.Length]));
        }

        Assert.That(versions, Is.EquivalentTo([(RdbType.Stream2, (byte)10), (RdbType.Stream3, (byte)11)]));
    }

    [Test]
    public void Counts_that_have_come_to_their_end_are_read_again()
    {
        using var server = new ServerInProcess(device: null, s_flags);
        using var client = server.Connect();
        _ = client.Call("XADD", "k", "1", "f", "v");
        Assert.That(client.Call("XSETID", "k", "1", "ENTRIESADDED", $"{long.MaxValue}").Text, Is.EqualTo("OK"));
        _ = client.Call("XGROUP", "CREATE", "k", "g", "0", "ENTRIESREAD", $"{long.MaxValue}");
        _ = client.Call("XADD", "k", "2", "f", "v");
        _ = client.Call("XREADGROUP", "GROUP", "g", "c", "STREAMS", "k", ">");
        var payload = client.Call("DUMP", "k").Bytes;
        Assert.That(Restore(client, "again", payload).Text, Is.EqualTo("OK"));
        Assert.That(client.Call("DUMP", "again").Bytes, Is.EqualTo(payload));
        Assert.That(client.Call("XINFO", "GROUPS", "again"), Is.EqualTo(client.Call("XINFO", "GROUPS", "k")));
    }

    [TestCase(1, 0, 1, "OK")]
    [TestCase(0, 0, 1, "ERR Bad data format", Description = "an entry with the id 0-0")]
    [TestCase(1, 0, 0, "ERR Bad data format", Description = "an entry without fields")]
    public void What_no_command_makes_is_refused(int ms, int seq, int fields, string expected)
    {
        using var server = new ServerInProcess(device: null, s_flags);
        using var client = server.Connect();
        var content = OneBlock((ulong)ms, (ulong)seq, [.. Enumerable.Repeat("f", fields)], entries: 1);
        Assert.That(Restore(client, "k", new PayloadBuilder(content).Payload()).Text, Is.EqualTo(expected));
    }

    [Test]
    public void A_deleted_id_above_the_last_one_is_that_one()
    {
        using var redis = RedisProcess.Start();
        using var server = new ServerInProcess(device: null, s_flags);
        using var oracle = redis.Connect();
        using var client = server.Connect();
        _ = oracle.Call("XADD", "k", "66", "f", "v");
        _ = oracle.Call("XDEL", "k", "66");
        Assert.That(oracle.Call("XSETID", "k", "17").Text, Is.EqualTo("OK"), "which Redis 7.2 refuses");
        Assert.That(Restore(client, "k", oracle.Call("DUMP", "k").Bytes).Text, Is.EqualTo("OK"));
        Assert.That(
            client.Call("XINFO", "STREAM", "k").Items.Select(item => item.Text),
            Has.Exactly(2).EqualTo("17-0"));
    }

    [Test]
    public void Fields_of_a_block_are_not_kept_again_for_each_entry()
    {
        const int Entries = 2_000;
        using var server = new ServerInProcess(device: null, s_flags);
        using var client = server.Connect();
        var content = OneBlock(1, 0, [new string('f', 200_000)], Entries);
        Assert.That(Restore(client, "k", new PayloadBuilder(content).Payload()).Text, Is.EqualTo("OK"));
        Assert.That(client.Call("XLEN", "k").Integer, Is.EqualTo(Entries));
        Assert.That(client.Call("MEMORY", "USAGE", "k").Integer, Is.LessThan(4 * content.Length));
    }

    /// <summary>A stream with one block, whose entries have its fields, a millisecond after the other.</summary>
    private static byte[] OneBlock(ulong ms, ulong seq, string[] fields, int entries)
    {
        using var block = new RdbOutput(new MemoryBudget());
        ListpackWriter.Begin(block);
        ListpackWriter.Add(block, entries);
        ListpackWriter.Add(block, 0);
        ListpackWriter.Add(block, fields.Length);
        fields.ToList().ForEach(field => ListpackWriter.Add(block, Encoding.ASCII.GetBytes(field)));
        ListpackWriter.Add(block, 0);
        for (var i = 0; i < entries; i++)
        {
            ListpackWriter.Add(block, 2);
            ListpackWriter.Add(block, i);
            ListpackWriter.Add(block, 0);
            fields.ToList().ForEach(_ => ListpackWriter.Add(block, i));
            ListpackWriter.Add(block, 3 + fields.Length);
        }

        ListpackWriter.Finish(block, 4 + fields.Length + (entries * (4 + fields.Length)));
        var id = new byte[16];
        BinaryPrimitives.WriteUInt64BigEndian(id, ms);
        BinaryPrimitives.WriteUInt64BigEndian(id.AsSpan(8), seq);
        var payload = new PayloadBuilder(RdbType.Stream2).Byte(1).String(id).String(block.Written.ToArray());
        var count = (ulong)entries;
        var bytes = new byte[RdbFormat.LengthBytes];
        foreach (var number in (ulong[])[count, ms + count, seq, ms, seq, 0, 0, count, 0])
        {
            _ = payload.Raw(bytes[..RdbFormat.WriteLength(bytes, number)]);
        }

        return payload.Bytes;
    }

    private static int NodesOf(Random random) => random.Next(4) switch
    {
        0 => 0,
        1 => 1,
        _ => random.Next(1, 40),
    };

    private static RespValue Restore(RespConnection client, string key, byte[] payload)
        => client.Call(new RespCommand(
        [
            "RESTORE"u8.ToArray(), Encoding.ASCII.GetBytes(key), "0"u8.ToArray(), payload, "REPLACE"u8.ToArray(),
        ]));
}
