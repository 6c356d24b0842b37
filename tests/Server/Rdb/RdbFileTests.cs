using System.Text;
using NUnit.Framework;
using Strata.Server.Rdb;
using Strata.Server.Runtime;
using Strata.Storage.Changes;
using Strata.Storage.Index;
using Strata.Storage.Memory;
using Strata.Storage.Records;
using Strata.Storage.Sharding;
using Strata.Tests.Server.Execution;
using Strata.Tests.Support;

namespace Strata.Tests.Server.Rdb;

/// <summary>Whole files: those that redis-server writes are read, and those that are written here it loads. What is
/// torn or damaged is never taken for whole.</summary>
[TestFixture]
internal sealed class RdbFileTests
{
    private static readonly string[] s_debug = ["--enable-debug-command", "yes"];

    [Test]
    public void What_redis_saves_is_read()
    {
        using var redisProcess = ServerProcess.Start(ServerKind.Redis, s_debug);
        using var redis = redisProcess.Connect();
        var random = new Random(4);
        Fill(redis, random);
        Assert.That(redis.Call("FUNCTION", "LOAD", "#!lua name=f\nredis.register_function('f', function() end)").Text,
            Is.EqualTo("f"));
        Assert.That(redis.Call("SAVE").Text, Is.EqualTo("OK"));
        var bytes = File.ReadAllBytes(Path.Combine(redisProcess.Folder, "dump.rdb"));
        using var server = OneShard();
        var aux = new List<string>();
        server.Visit(shard => Load(new Bytes(bytes, random), shard, server, aux));
        using var client = server.Connect();
        Assert.That(client.Call("DEBUG", "DIGEST").Text, Is.EqualTo(redis.Call("DEBUG", "DIGEST").Text));
        Assert.That(aux, Does.Contain("redis-bits=64"));
        Assert.That(aux, Does.Contain("function"));
    }

    [TestCase(10)]
    [TestCase(9)]
    public void Redis_loads_what_is_written(int begunAs)
    {
        using var server = OneShard();
        using var client = server.Connect();
        Fill(client, new Random(5));
        var sink = new Bytes([], random: null);
        server.Visit(shard => Write(sink, shard, begunAs));
        var folder = Directory.CreateTempSubdirectory("strata-rdb-").FullName;
        try
        {
            File.WriteAllBytes(Path.Combine(folder, "dump.rdb"), sink.Written.ToArray());
            if (ProgramRun.Find("redis-check-rdb") is { } check)
            {
                var (exitCode, text) = ProgramRun.Run(check, [Path.Combine(folder, "dump.rdb")]);
                Assert.That(exitCode, Is.Zero, text);
            }

            using var redisProcess = ServerProcess.Start(ServerKind.Redis, [.. s_debug, "--dir", folder]);
            using var redis = redisProcess.Connect();
            Assert.That(redis.Call("DEBUG", "DIGEST").Text, Is.EqualTo(client.Call("DEBUG", "DIGEST").Text));
            Assert.That(redis.Call("FUNCTION", "LIST").Items, Has.Count.EqualTo(1));
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }

    [Test]
    public void A_torn_or_damaged_file_is_never_whole()
    {
        using var server = OneShard();
        using var client = server.Connect();
        foreach (var type in RandomValue.Types)
        {
            foreach (var command in RandomValue.Make(new Random(6), type, type, 8, 20))
            {
                client.Call(command);
            }
        }

        var sink = new Bytes([], random: null);
        server.Visit(shard => Write(sink, shard, version: 10));
        var file = sink.Written.ToArray();
        Assert.That(ProblemOf(file, server), Is.Null);
        for (var length = 0; length < file.Length; length++)
        {
            Assert.That(ProblemOf(file[..length], server), Does.Contain("at byte"), $"cut at {length}");
        }

        var random = new Random(7);
        for (var i = 0; i < file.Length; i++)
        {
            var damaged = file.ToArray();
            damaged[i] ^= (byte)(1 << random.Next(8));
            Assert.That(ProblemOf(damaged, server), Is.Not.Null, $"byte {i}");
        }
    }

    private static (PayloadBuilder File, string Problem)[] Refused =>
    [
        (new PayloadBuilder().Text("RODIS0010"), "no RDB file"),
        (new PayloadBuilder().Text("REDIS00x0"), "no RDB file"),
        (new PayloadBuilder().Text("REDIS0013"), "version 13"),
        (new PayloadBuilder().Text("VALKEY090"), "version 90 of Valkey"),
        (new PayloadBuilder().Text("VALKEY080").Byte(22).String("k"), "only Valkey has (type or code 22)"),
        (new PayloadBuilder().Text("VALKEY080").Byte(243), "only Valkey has (type or code 243)"),
        (new PayloadBuilder().Text("REDIS0012").Byte(243), "unknown type 243"),
        (new PayloadBuilder().Text("REDIS0012").Byte(26).String("k"), "unknown type 26"),
        (new PayloadBuilder().Text("REDIS0010").Byte(246), "release candidates"),
        (new PayloadBuilder().Text("REDIS0010").Byte(247).Raw(0x81, 0xFF, 0, 0, 0, 0, 0, 0, 0),
            "of the module type _wAAAAAAA"),
        (new PayloadBuilder().Text("REDIS0010").Byte(7).String("k").Raw(0x81, 0, 0, 0, 0, 0, 0, 0, 0),
            "of the module type AAAAAAAAA"),
        (new PayloadBuilder().Text("REDIS0010").Byte(252).Int64(-1), "no time"),
        (new PayloadBuilder().Text("REDIS0010").Byte(0).String("k").Raw(0x80, 127, 0, 0, 0), "longer than 1 GB"),
        (new PayloadBuilder().Text("REDIS0010").Byte(0).String("k").Raw(0x80, 63, 0, 0, 0), "only 0 follow"),
        (new PayloadBuilder().Text("REDIS0010").Byte(2).String("k").Byte(2).String("a").String("a"), "there twice"),
        (new PayloadBuilder().Text("REDIS0010").Byte(255).Int64(17), "checksum"),
    ];

    [TestCaseSource(nameof(Refused))]
    public void What_cannot_be_read_is_told((PayloadBuilder File, string Problem) one)
    {
        using var server = OneShard();
        Assert.That(ProblemOf(one.File.Bytes, server), Does.Contain(one.Problem).And.Contain("at byte"));
    }

    [Test]
    public void All_that_stands_beside_keys_is_read()
    {
        var file = new PayloadBuilder().Text("VALKEY080")
            .Byte(250).String("aux").String("value")
            .Byte(244).Byte(1).Byte(2).Byte(3)
            .Byte(254).Byte(2).Byte(251).Byte(5).Byte(1)
            .Byte(253).Int32(2_000_000_000).Byte(248).Byte(50).Byte(0).String("seconds").String("v")
            .Byte(249).Byte(9).Byte(0).String("plain").String("v")
            .Byte(255).Int64(0).Text("behind");
        using var reader = new RdbFileReader(new Bytes(file.Bytes, random: null), new MemoryBudget(), true);
        Assert.That(reader.Next(), Is.EqualTo(RdbItem.Aux));
        Assert.That(Encoding.ASCII.GetString(reader.AuxName), Is.EqualTo("aux"));
        Assert.That(reader.Next(), Is.EqualTo(RdbItem.Key));
        Assert.That(reader.IsOfValkey);
        Assert.That((reader.Database, reader.ExpiryMs), Is.EqualTo((2, 2_000_000_000_000)));
        Assert.That((reader.Sizes.Keys, reader.Sizes.Expiring), Is.EqualTo((5, 1)));
        Assert.That((reader.Info.IdleSeconds, reader.Info.Frequency), Is.EqualTo((50, -1)));
        reader.SkipValue();
        Assert.That(reader.Next(), Is.EqualTo(RdbItem.Key));
        Assert.That(Encoding.ASCII.GetString(reader.Key), Is.EqualTo("plain"));
        Assert.That(reader.ExpiryMs, Is.EqualTo(-1), "the time of another key");
        Assert.That((reader.Info.IdleSeconds, reader.Info.Frequency), Is.EqualTo((-1, 9)));
        Assert.That(reader.Next(), Is.EqualTo(RdbItem.End), "a value that nobody reads is passed");
        Assert.That(Encoding.ASCII.GetString(reader.Rest), Is.EqualTo("behind"));
    }

    private static ServerInProcess OneShard()
        => new(device: null, ["--workers", "1", "--shards", "1", .. s_debug]);

    private static void Fill(RespConnection client, Random random)
    {
        for (var i = 0; i < 120; i++)
        {
            client.Call("SELECT", $"{i % 3}");
            var type = RandomValue.Types[random.Next(RandomValue.Types.Length)];
            var size = random.Next(1, 1 << random.Next(1, 12));
            foreach (var command in RandomValue.Make(random, type, $"key {i}", size, 90))
            {
                Assert.That(client.Call(command).IsError, Is.False);
            }

            if (random.Next(3) == 0)
            {
                client.Call("PEXPIREAT", $"key {i}", "4000000000000");
            }
        }
    }

    private static string? ProblemOf(byte[] file, ServerInProcess server)
    {
        string? problem = null;
        server.Visit(shard =>
        {
            try
            {
                Load(new Bytes(file, random: null), shard, server, []);
            }
            catch (RdbException exception)
            {
                problem = exception.Message;
            }
        });
        return problem;
    }

    private static unsafe void Load(Bytes source, Shard shard, ServerInProcess server, List<string> told)
    {
        var limits = PackingLimits.Of(server.Server.Context.Configuration.Current);
        using var reader = new RdbFileReader(source, shard.Budget, verifiesChecksum: true);
        RdbItem item;
        while ((item = reader.Next()) != RdbItem.End)
        {
            if (item != RdbItem.Key)
            {
                told.Add(item == RdbItem.Function
                    ? "function"
                    : $"{Encoding.ASCII.GetString(reader.AuxName)}={Encoding.ASCII.GetString(reader.AuxValue)}");
                continue;
            }

            reader.BeginValue(shard, limits);
            try
            {
                while (!reader.Value.Step(effort: 100))
                {
                    // Others would have their turn.
                }
            }
            catch (RdbException)
            {
                reader.Value.Abandon();
                throw;
            }

            fixed (byte* pointer = reader.Key)
            {
                var key = new Key(pointer, reader.Key.Length, (byte)reader.Database);
                _ = shard.TryGet(key, nowMs: 0, cold: null, out var existing);
                _ = reader.Value.Put(key, existing, reader.ExpiryMs, new Change(KeyEvent.Restore, author: null));
            }
        }
    }

    private static void Write(Bytes sink, Shard shard, int version)
    {
        using var file = new RdbFileWriter(sink, shard.Budget, withChecksum: true);
        using var values = new RdbValueWriter(shard.Budget);
        using var output = new RdbOutput(shard.Budget);
        file.Begin(version);
        file.Aux("redis-ver"u8, "7.0.0"u8);
        file.Aux("redis-bits"u8, 64);
        file.Function("#!lua name=f\nredis.register_function('f', function() end)"u8);
        var needed = 10;
        for (byte database = 0; database < 3; database++)
        {
            file.SelectDatabase(database, shard.Databases.Keys(database), 1);
            var walk = new KeyWalk(shard, database, cold: null);
            do
            {
                walk.EnterBucket();
                while (walk.TryNext(out var record))
                {
                    needed = Math.Max(needed, RdbValueWriter.VersionOf(record));
                    values.BeginEntry(record, output, compresses: true, new RdbEntryInfo(IdleSeconds: 5));
                    while (!values.Step(record, output, effort: 200))
                    {
                        file.Append(output.Written);
                        output.Clear();
                    }

                    file.Append(output.Written);
                    output.Clear();
                }
            }
            while (walk.Cursor != 0);
        }

        sink.Patch(file.End(needed));
    }

    /// <summary>A file in memory, of which a read gives any number of bytes.</summary>
    private sealed class Bytes(byte[] bytes, Random? random) : IRdbSource, IRdbSink
    {
        private int _at;

        public List<byte> Written { get; } = [];

        public int Read(Span<byte> target)
        {
            var most = Math.Min(target.Length, bytes.Length - _at);
            var count = random == null || most == 0 ? most : random.Next(1, Math.Min(most, 5000) + 1);
            bytes.AsSpan(_at, count).CopyTo(target);
            _at += count;
            return count;
        }

        public void Write(ReadOnlySpan<byte> more) => Written.AddRange(more);

        public void Patch(RdbVersionPatch? patch)
        {
            for (var i = 0; i < patch?.Bytes.Length; i++)
            {
                Written[(int)patch.Value.Offset + i] = patch.Value.Bytes[i];
            }
        }
    }
}
