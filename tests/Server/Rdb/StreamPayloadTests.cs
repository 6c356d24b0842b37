using System.Text;
using NUnit.Framework;
using Strata.Server.Rdb;
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
