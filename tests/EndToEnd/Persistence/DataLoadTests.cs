using System.Buffers.Binary;
using System.Globalization;
using NUnit.Framework;
using Strata.Server.Rdb;
using Strata.Tests.Server.Rdb;
using Strata.Tests.Support;

namespace Strata.Tests.EndToEnd.Persistence;

/// <summary>How an RDB file is loaded by one worker and by many: short values in blocks, long ones by who reads.
/// </summary>
[Parallelizable(ParallelScope.All)]
public sealed class DataLoadTests
{
    private const int Keys = 30_000;
    private const int LongElements = 100_000;

    // What the server takes without data, about.
    private const long IdleBytes = 24 << 20;

    // The longest value that is handed over has 1 MB with its length.
    private static readonly int[] s_lengths = [0, 63, 64, 16_383, 16_384, 70_000, (1 << 20) - 5, 1 << 20, 3 << 20];

    [Test]
    public void All_workers_load_all_of_it([Values(1, 2, 5)] int workers)
    {
        var file = new PayloadBuilder().Text("REDIS0010").Byte(RdbFormat.Database).Byte(0);
        AddKeys(file, "a", Keys / 2);
        foreach (var length in s_lengths)
        {
            AddString(file, $"long-{length}", new string('x', length));
        }

        AddLists(file);
        file.Byte(RdbFormat.ExpiryMs).Int64(1);
        AddString(file, "expired", "1");
        file.Byte(RdbFormat.ExpiryMs).Int64(4102444800000);
        AddString(file, "a-long-time", "1");
        file.Byte(RdbFormat.Database).Byte(9);
        AddKeys(file, "b", Keys / 2);

        using var folder = new DataFolder(file);
        using var server = folder.Start("--workers", $"{workers}");
        using var client = server.Connect();
        Assert.That(client.Call("DBSIZE").Integer, Is.EqualTo((Keys / 2) + s_lengths.Length + 2 + 1));
        foreach (var length in s_lengths)
        {
            Assert.That(client.Call("STRLEN", $"long-{length}").Integer, Is.EqualTo(length));
        }

        Assert.That(client.Call("LLEN", "list").Integer, Is.EqualTo(LongElements));
        Assert.That(client.Call("LINDEX", "list", "77777").Text, Is.EqualTo("element-77777"));
        Assert.That(client.Call("PEXPIRETIME", "a-long-time").Integer, Is.EqualTo(4102444800000));
        client.Call("SELECT", "9");
        Assert.That(client.Call("DBSIZE").Integer, Is.EqualTo(Keys / 2));
        for (var i = 0; i < Keys / 2; i += 997)
        {
            Assert.That(client.Call("GET", $"b{i}").Text, Is.EqualTo($"value of {i}"));
        }

        AssertInfo(server, "rdb_last_load_keys_loaded", Keys + s_lengths.Length + 2 + 1);
        AssertInfo(server, "rdb_last_load_keys_expired", 1);
    }

    [Test]
    public void A_key_that_is_there_twice_is_refused(
        [Values] bool isFirstLong, [Values] bool isSecondLong, [Values(1, 4)] int workers)
    {
        var file = new PayloadBuilder().Text("REDIS0010");
        AddString(file, "twice", new string('x', isFirstLong ? 2 << 20 : 1));
        AddKeys(file, "a", isFirstLong ? 10 : Keys);
        AddString(file, "twice", new string('y', isSecondLong ? 2 << 20 : 1));
        AssertRefused(file, "a key is there twice", "--workers", $"{workers}");
    }

    /// <summary>Bytes are changed here and there: the checksum tells of it, if nothing else has before.</summary>
    [Test]
    public void A_file_that_is_damaged_anywhere_is_refused([Range(1, 6)] int seed)
    {
        var random = new Random(seed);
        var file = new PayloadBuilder().Text("REDIS0010");
        AddKeys(file, "a", 5000);
        AddLists(file);
        var bytes = DataFolder.WithEnd(file);
        for (var i = 0; i < 3; i++)
        {
            bytes[random.Next(9, bytes.Length - 8)] ^= (byte)(1 << random.Next(8));
        }

        using var folder = new DataFolder(random.Next(2) == 0 ? bytes : bytes[..random.Next(9, bytes.Length)]);
        using var server = folder.Launch("--workers", "3");
        Assert.That(server.WaitForExit(), Is.EqualTo(6), server.Output);
        Assert.That(() => server.Output,
            Does.Contain("cannot be loaded").And.Contain("at byte").After(Patience.Ms, 10));
    }

    [TestCase(RdbType.String, "bytes are expected")]
    [TestCase(RdbType.List, "no form of strings has the number 63")]
    [TestCase(RdbType.HashListpack, "bytes are expected")]
    public void A_length_that_lies_takes_no_memory(byte type, string problem)
    {
        var file = new PayloadBuilder().Text("REDIS0010");
        AddKeys(file, "a", 1000);
        file.Byte(type).String("lie").Byte(RdbFormat.Length32).Raw(0x3F, 0xFF, 0xFF, 0xFF);
        AssertRefused(file, problem, "--workers", "2", "--maxmemory", "64mb");
    }

    /// <summary>Without a checksum nothing but a load finds it, and the check that a refused start tells of.</summary>
    [Test]
    public void What_is_damaged_in_a_file_without_a_checksum_is_refused_by_start_and_check(
        [Values("listpack", "stream", "library", "key")] string part)
    {
        var file = new PayloadBuilder().Text("REDIS0011");
        AddKeys(file, "a", 100);
        var problem = AddDamage(file, part);
        using var folder = new DataFolder([.. file.Byte(RdbFormat.End).Bytes, .. new byte[sizeof(long)]]);
        using var server = folder.Launch("--workers", "2");
        Assert.That(server.WaitForExit(), Is.EqualTo(6), server.Output);
        Assert.That(() => server.Output, Does.Contain(problem).And.Contain("--check-rdb").After(Patience.Ms, 10));
        var (exitCode, said) = folder.Check();
        Assert.That(exitCode, Is.EqualTo(1), said);
        Assert.That(said, Does.Contain(problem));
    }

    [Test]
    public void A_file_that_a_start_loads_is_whole_to_the_check()
    {
        var file = new PayloadBuilder().Text("REDIS0011").Byte(RdbFormat.Function)
            .String("#!lua name=l\nredis.register_function('f', function() return 1 end)");
        AddKeys(file, "a", 100);
        AddLists(file);
        using var folder = new DataFolder([.. file.Byte(RdbFormat.End).Bytes, .. new byte[sizeof(long)]]);
        using (var server = folder.Start())
        {
            using var client = server.Connect();
            Assert.That(client.Call("FCALL", "f", "0").Integer, Is.EqualTo(1));
            server.Kill();
        }

        var (exitCode, said) = folder.Check();
        Assert.That(exitCode, Is.Zero, said);
        Assert.That(said, Does.Contain("is whole and can be loaded with 'databases 1' or more: RDB version 11")
            .And.Contain(" 103 keys").And.Contain("1 libraries of functions"));
    }

    [Test]
    public void At_maxmemory_keys_give_way([Values(1, 3)] int workers)
    {
        var file = new PayloadBuilder().Text("REDIS0010");
        for (var i = 0; i < 20_000; i++)
        {
            AddString(file, $"k{i}", new string('v', 1000));
        }

        using var folder = new DataFolder(file);
        using var server = folder.Start(
            "--workers", $"{workers}", "--maxmemory", "12mb", "--maxmemory-policy", "allkeys-lru");
        using var client = server.Connect();
        Assert.That(client.Call("DBSIZE").Integer, Is.InRange(1000, 15_000));
        Assert.That(client.Call("SET", "new", "1").Text, Is.EqualTo("OK"));
    }

    [Test]
    public void What_does_not_fit_goes_to_the_device([Values(1, 3)] int workers)
    {
        var file = new PayloadBuilder().Text("REDIS0010");
        for (var i = 0; i < 40_000; i++)
        {
            AddString(file, $"k{i}", $"{i} " + new string('v', 1000));
        }

        using var folder = new DataFolder(file);
        using var server = folder.Start(
            "--workers", $"{workers}", "--maxmemory", "24mb", "--storage-tier", "yes", "--segment-size", "1mb");
        using var client = server.Connect();
        Assert.That(client.Call("DBSIZE").Integer, Is.EqualTo(40_000));
        for (var i = 0; i < 40_000; i += 997)
        {
            Assert.That(client.Call("GET", $"k{i}").Text, Does.StartWith($"{i} v"));
        }
    }

    /// <summary>Those that are handed over, and those which the reader loads by itself: they leave memory in steps,
    /// for which there are turns while all leases are held.</summary>
    [Test]
    public void Collections_that_do_not_fit_go_to_the_device(
        [Values(1, 3)] int workers, [Values(2_000, 20_000)] int elements)
    {
        const int Elements = 1_000_000;
        const long LimitBytes = 24 << 20;
        var keys = Elements / elements;
        var file = new PayloadBuilder().Text("REDIS0010");
        for (var i = 0; i < keys; i++)
        {
            AddCollection(file, i, elements);
        }

        using var folder = new DataFolder(file);
        using var server = folder.Start(
            "--workers", $"{workers}", "--maxmemory", $"{LimitBytes}", "--storage-tier", "yes", "--segment-size", "1mb",
            "--enable-debug-command", "yes");
        using var client = server.Connect();
        AssertCollections(client, keys, elements);
        var peak = ResidentPeak.Of(server, () =>
        {
            Assert.That(client.Call("DEBUG", "RELOAD").Text, Is.EqualTo("OK"), server.Output);
        });
        AssertCollections(client, keys, elements);
        Assert.That(peak, Is.LessThan(LimitBytes + (LimitBytes / 8) + (32 << 20) + IdleBytes));
    }

    /// <summary>Each of them asks for a page of its own, which a command would be refused.</summary>
    [Test]
    public void Long_strings_are_loaded_whatever_the_limit(
        [Values("no", "yes")] string tier, [Values(1, 3)] int workers)
    {
        const int Strings = 6;
        const int Bytes = 12 << 20;
        var file = new PayloadBuilder().Text("REDIS0010");
        for (var i = 0; i < Strings; i++)
        {
            AddString(file, $"s{i}", new string((char)('a' + i), Bytes));
        }

        using var folder = new DataFolder(file);
        using var server = folder.Start(
            "--workers", $"{workers}", "--maxmemory", "24mb", "--storage-tier", tier, "--enable-debug-command", "yes");
        using var client = server.Connect();
        Assert.That(client.Call("DBSIZE").Integer, Is.EqualTo(Strings));
        Assert.That(client.Call("DEBUG", "RELOAD").Text, Is.EqualTo("OK"), server.Output);
        for (var i = 0; i < Strings; i++)
        {
            Assert.That(client.Call("STRLEN", $"s{i}").Integer, Is.EqualTo(Bytes));
            Assert.That(client.Call("GETRANGE", $"s{i}", "-2", "-1").Text, Is.EqualTo(new string((char)('a' + i), 2)));
        }
    }

    /// <summary>Adds what a reader that only passes values takes for right.</summary>
    /// <returns>What is wrong with it.</returns>
    private static string AddDamage(PayloadBuilder file, string part)
    {
        switch (part)
        {
            case "listpack":
                file.Byte(RdbType.SetListpack).String("damaged").String("nothing of a listpack");
                return "at byte";
            case "stream":
                file.Byte(RdbType.Stream3).String("damaged").Byte(1).String(new byte[16]).String("no listpack")
                    .Raw(new byte[9]);
                return "at byte";
            case "library":
                file.Byte(RdbFormat.Function).String("#!lua name=l\nno lua at all");
                return "a library of functions cannot be loaded (";
            default:
                file.Byte(RdbType.String).String("a7").String("again");
                return "a key is there twice";
        }
    }

    private static void AddCollection(PayloadBuilder file, int number, int elements)
    {
        var isHash = number % 2 == 0;
        file.Byte(isHash ? RdbType.Hash : RdbType.Set).String($"c{number}");
        AddCount(file, elements);
        for (var i = 0; i < elements; i++)
        {
            file.String($"element-{i}");
            if (isHash)
            {
                file.String(new string('v', 50));
            }
        }
    }

    private static void AssertCollections(RespConnection client, int keys, int elements)
    {
        Assert.That(client.Call("DBSIZE").Integer, Is.EqualTo(keys));
        for (var i = 0; i < keys; i++)
        {
            var isHash = i % 2 == 0;
            var length = client.Call(isHash ? "HLEN" : "SCARD", $"c{i}").Integer;
            Assert.That(length, Is.EqualTo(elements));
            if (i % 10 < 2)
            {
                var isThere = client.Call(isHash ? "HEXISTS" : "SISMEMBER", $"c{i}", $"element-{elements - i - 1}");
                Assert.That(isThere.Integer, Is.EqualTo(1));
            }
        }
    }

    private static void AddKeys(PayloadBuilder file, string prefix, int count)
    {
        for (var i = 0; i < count; i++)
        {
            AddString(file, $"{prefix}{i}", $"value of {i}");
        }
    }

    private static void AddString(PayloadBuilder file, string key, string value)
        => file.Byte(RdbType.String).String(key).String(value);

    /// <summary>A list that is too long to be handed over, and one that is empty, as old files have some.</summary>
    private static void AddLists(PayloadBuilder file)
    {
        file.Byte(RdbType.List).String("list");
        AddCount(file, LongElements);
        for (var i = 0; i < LongElements; i++)
        {
            file.String($"element-{i}");
        }

        file.Byte(RdbType.List).String("empty").Byte(0);
        file.Byte(RdbType.List).String("short").Byte(1).String("element");
    }

    private static void AddCount(PayloadBuilder file, int count)
    {
        Span<byte> bytes = stackalloc byte[sizeof(int)];
        BinaryPrimitives.WriteInt32BigEndian(bytes, count);
        file.Byte(RdbFormat.Length32).Raw(bytes.ToArray());
    }

    private static void AssertRefused(PayloadBuilder file, string problem, params string[] flags)
    {
        using var folder = new DataFolder(file);
        using var server = folder.Launch(flags);
        Assert.That(server.WaitForExit(), Is.EqualTo(6), server.Output);
        Assert.That(() => server.Output, Does.Contain(problem).After(Patience.Ms, 10));
        var (exitCode, said) = folder.Check();
        Assert.That((exitCode, said), Is.EqualTo((1, said)), "the start says to look at it so");
        Assert.That(said, Does.Contain(problem));
    }

    private static void AssertInfo(ServerProcess server, string field, long value)
    {
        using var client = server.Connect();
        var line = string.Create(CultureInfo.InvariantCulture, $"{field}:{value}\r\n");
        Assert.That(client.Call("INFO", "persistence").Text, Does.Contain(line));
    }

    private sealed class DataFolder : IDisposable
    {
        public DataFolder(PayloadBuilder file)
            : this(WithEnd(file))
        {
        }

        public DataFolder(byte[] bytes)
        {
            Path = Directory.CreateTempSubdirectory("strata-load-").FullName;
            File.WriteAllBytes(System.IO.Path.Combine(Path, "dump.rdb"), bytes);
        }

        public string Path { get; }

        public static byte[] WithEnd(PayloadBuilder file)
        {
            var bytes = file.Byte(RdbFormat.End).Bytes;
            return [.. bytes, .. BitConverter.GetBytes(Crc64.Of(bytes))];
        }

        /// <summary>Starts a server that has loaded the file.</summary>
        public ServerProcess Start(params string[] flags)
        {
            var server = ServerProcess.Start(ServerKind.Strata, ["--dir", Path, .. flags]);
            using var client = server.Connect();
            Assert.That(SpinWait.SpinUntil(
                () => client.Call("INFO", "persistence").Text.Contains("loading:0\r\n", StringComparison.Ordinal),
                Patience.Ms), server.Output);
            return server;
        }

        public ServerProcess Launch(params string[] flags)
            => ServerProcess.Launch(ServerKind.Strata, ["--save", "", "--dir", Path, .. flags]);

        /// <summary>What <c>--check-rdb</c> says of the file.</summary>
        public (int ExitCode, string Said) Check() => ProgramRun.Run(
            StrataProcess.Program(), ["--check-rdb", System.IO.Path.Combine(Path, "dump.rdb")]);

        public void Dispose() => Directory.Delete(Path, recursive: true);
    }
}
