using System.Text;
using NUnit.Framework;
using Strata.Server.Rdb;
using Strata.Storage.Index;
using Strata.Storage.Log;
using Strata.Storage.Memory;
using Strata.Storage.Sharding;
using Strata.Tests.Server.Execution;

namespace Strata.Tests.Server.Rdb;

/// <summary>A value is the same bytes in however many steps it is written, and what of it waits to be taken away in
/// between is little.</summary>
[TestFixture]
internal sealed class RdbValueWriterTests
{
    private static readonly int[] s_sizes = [1, 3, 50, 700, 4000];

    [Test]
    public void Steps_make_no_difference([ValueSource(typeof(RandomValue), nameof(RandomValue.Types))] string type)
    {
        using var server = new ServerInProcess(device: null, "--workers", "1", "--shards", "1");
        using var client = server.Connect();
        var random = new Random(type.Length);
        foreach (var size in s_sizes)
        {
            client.Call("DEL", "k");
            foreach (var command in RandomValue.Make(random, type, "k", size * (type == "string" ? 200 : 1), 200))
            {
                Assert.That(client.Call(command).IsError, Is.False);
            }

            server.Visit(shard => CompareSteps(shard, random));
        }
    }

    [Test]
    public void Fields_that_expire_need_a_newer_version()
    {
        using var server = new ServerInProcess(device: null, "--workers", "1", "--shards", "1");
        using var client = server.Connect();
        client.Call("HSET", "k", "a", "1", "b", "2", "c", "3");
        Assert.That(client.Call("DUMP", "k").Bytes[^10], Is.EqualTo(10));
        client.Call("HEXPIRE", "k", "1000", "FIELDS", "1", "b");
        var payload = client.Call("DUMP", "k").Bytes;
        Assert.That(payload[0], Is.EqualTo(RdbType.HashListpackWithTimes));
        Assert.That(payload[^10], Is.EqualTo(12));
        client.Call("HSET", "k", "long", new string('x', 1000));
        Assert.That(client.Call("DUMP", "k").Bytes[0], Is.EqualTo(RdbType.HashWithTimes));
        client.Call("HPERSIST", "k", "FIELDS", "1", "b");
        payload = client.Call("DUMP", "k").Bytes;
        Assert.That(payload[0], Is.EqualTo(RdbType.Hash));
        Assert.That(payload[^10], Is.EqualTo(10));
    }

    private static void CompareSteps(Shard shard, Random random)
    {
        var record = Find(shard, "k");
        var budget = new MemoryBudget();
        using var writer = new RdbValueWriter(budget);
        using var output = new RdbOutput(budget);
        writer.BeginEntry(record, output, compresses: true, new RdbEntryInfo(IdleSeconds: 1000));
        Assert.That(writer.Step(record, output, int.MaxValue), Is.True);
        var whole = output.Written.ToArray();
        output.Clear();
        writer.BeginEntry(record, output, compresses: true, new RdbEntryInfo(IdleSeconds: 1000));
        var parts = new List<byte>();
        var isWhole = false;
        var effort = random.Next(1, 60);
        while (!isWhole)
        {
            isWhole = writer.Step(record, output, effort);
            parts.AddRange(output.Written);
            Assert.That(output.Length, Is.LessThan(300_000));
            output.Clear();
        }

        Assert.That(parts, Is.EqualTo(whole));
        writer.Free();
        output.Free();
        Assert.That(budget.UsedBytes, Is.EqualTo(budget.Buffers.IdleBytes));
    }

    private static unsafe Record Find(Shard shard, string name)
    {
        var bytes = Encoding.ASCII.GetBytes(name);
        fixed (byte* pointer = bytes)
        {
            var key = new Key(pointer, bytes.Length, database: 0);
            Assert.That(shard.TryGet(key, nowMs: 0, cold: null, out var record));
            return record;
        }
    }
}
