using NUnit.Framework;
using Strata.Server.Rdb;
using Strata.Tests.Server.Execution;
using Strata.Tests.Support;
using Strata.Tests.Support.Fuzzing;

namespace Strata.Tests.Server.Rdb;

/// <summary>
/// Payloads in which bytes were changed and whose checksum is right all the same: each is restored or refused, takes no
/// more memory than its bytes account for, and what was restored can be dumped. <see cref="FuzzRun"/> says how it goes
/// on for hours.
/// </summary>
[TestFixture]
internal sealed class PayloadFuzzTests
{
    private const int Payloads = 20_000;
    private const int Batch = 64;

    // What a payload of some kilobytes may become: packed by LZF it may have 88 times as many bytes, each an element.
    private const long MostBytes = 64 << 20;

    private static ReadOnlySpan<byte> Interesting
        => [0, 1, 0x3F, 0x40, 0x7F, 0x80, 0x81, 0xC0, 0xC3, 0xF0, 0xF4, 0xFE, 0xFF];

    [Test]
    public void Hostile_payloads_do_no_harm()
    {
        using var server = new ServerInProcess(device: null, "--workers", "1", "--maxmemory", "0");
        using var client = server.Connect();
        var budget = server.Server.Context.Shards.Budget;
        var (tried, restored) = (0, 0);
        FuzzRun.Of(Payloads / Batch, random =>
        {
            var valid = Valid(client, random);
            var commands = Enumerable.Range(0, Batch)
                .Select(_ => Restore(Mutation.Of(valid, random, Interesting))).ToArray();
            client.Send(commands);
            for (var j = 0; j < Batch; j++)
            {
                var reply = client.ReadReply();
                var isRestored = reply.Text == "OK";
                restored += isRestored ? 1 : 0;
                Assert.That(isRestored || reply.Text == "ERR Bad data format", reply.Text);
            }

            tried += Batch;
            Assert.That(budget.UsedBytes, Is.LessThan(MostBytes), "what is taken");
            var again = client.Call("DUMP", "k");
            Assert.That(again.IsError, Is.False, again.Text);
        });

        TestContext.Out.WriteLine($"{tried} payloads, {restored} restored");
        Assert.That(restored, Is.GreaterThan(0));
        Assert.That(tried - restored, Is.GreaterThan(0));
        client.Call("FLUSHALL");
    }

    private static byte[] Valid(RespConnection client, Random random)
    {
        if (random.Next(3) == 0)
        {
            return Old(random);
        }

        if (random.Next(4) == 0)
        {
            byte[] versions = [RdbType.Stream, RdbType.Stream2, RdbType.Stream3];
            return StreamPayload.Make(random, versions[random.Next(3)], random.Next(4), random.Next(4));
        }

        var type = RandomValue.Types[random.Next(RandomValue.Types.Length)];
        client.Call("DEL", "v");
        foreach (var command in RandomValue.Make(random, type, "v", random.Next(1, 60), random.Next(1, 60)))
        {
            client.Call(command);
        }

        if (type == "hash" && random.Next(2) == 0)
        {
            client.Call("HSET", "v", "timed", "1");
            client.Call("HEXPIRE", "v", "100000", "FIELDS", "1", "timed");
        }

        return client.Call("DUMP", "v").Bytes[..^DumpFooter.Length];
    }

    private static byte[] Old(Random random)
    {
        var ziplist = PayloadBuilder.Ziplist(
            PayloadBuilder.ZiplistText("f"), PayloadBuilder.ZiplistText(new string('v', random.Next(300))),
            PayloadBuilder.ZiplistText("g"), [0xC0, 1, 2]);
        var zipmap = new PayloadBuilder(1).Byte(1).Text("f").Byte(2).Byte(1).Text("vw?").Byte(255).Bytes;
        return random.Next(8) switch
        {
            0 => new PayloadBuilder(RdbType.ListZiplist).String(ziplist).Bytes,
            1 => new PayloadBuilder(RdbType.HashZiplist).String(ziplist).Bytes,
            2 => new PayloadBuilder(RdbType.SortedSetZiplist).String(PayloadBuilder.Ziplist(
                PayloadBuilder.ZiplistText("m"), PayloadBuilder.ZiplistText("1.5"))).Bytes,
            3 => new PayloadBuilder(RdbType.QuicklistOfZiplists).Byte(1).String(ziplist).Bytes,
            4 => new PayloadBuilder(RdbType.Zipmap).String(zipmap).Bytes,
            5 => new PayloadBuilder(RdbType.SortedSetOfTexts).Byte(1).String("m").Byte(3).Text("1.5").Bytes,
            6 => new PayloadBuilder(RdbType.List).Byte(2).String("a").String("b").Bytes,
            _ => new PayloadBuilder(RdbType.HashWithTimes).Int64(1L << 41).Byte(1)
                .Byte(1).String("f").String("v").Bytes,
        };
    }

    private static RespCommand Restore(byte[] content)
        => new(
        [
            "RESTORE"u8.ToArray(), "k"u8.ToArray(), "0"u8.ToArray(), new PayloadBuilder(content).Payload(version: 12),
            "REPLACE"u8.ToArray(),
        ]);
}
