using System.Globalization;
using System.Text;
using NUnit.Framework;
using Strata.Tests.Support;

namespace Strata.Tests.EndToEnd;

/// <summary>Data larger than memory, as clients and administrators meet it.</summary>
[TestFixture("io_uring", 1)]
[TestFixture("libaio", 2)]
[TestFixture("managed", 2, Category = TestCategories.Long)]
public sealed class TierTests(string backend, int workers)
{
    private const int Keys = 100_000;
    private const int Batch = 1000;

    private readonly string[] _flags =
    [
        "--storage-tier", "yes", "--maxmemory", "6mb", "--segment-size", "1mb", "--device-io-backend", backend,
        "--workers", workers.ToString(CultureInfo.InvariantCulture), "--enable-debug-command", "local",
    ];

    private ServerProcess? _server;

    private ServerProcess Server => _server!;

    [OneTimeSetUp]
    public void Load()
    {
        _server = ServerProcess.Start(ServerKind.Strata, _flags);
        using var connection = Server.Connect();
        Fill(connection, 0, Keys);
    }

    [OneTimeTearDown]
    public void Stop() => _server?.Dispose();

    [Test]
    [Order(1)]
    public void All_keys_are_there_and_memory_holds_its_limit()
    {
        using var connection = Server.Connect();
        Assert.That(connection.Call("DBSIZE").Integer, Is.EqualTo(Keys));
        Assert.That(InfoOf(connection, "tier_cold_pages"), Is.Positive);
        Assert.That(InfoOf(connection, "used_memory"), Is.LessThan(7 << 20));
        var reads = InfoOf(connection, "tier_reads");
        for (var first = 0; first < Keys; first += Batch)
        {
            for (var i = first; i < first + Batch; i++)
            {
                connection.Send("GET", Key(i));
            }

            for (var i = first; i < first + Batch; i++)
            {
                Assert.That(connection.ReadReply().Text, Is.EqualTo(Value(i)));
            }
        }

        Assert.That(InfoOf(connection, "tier_reads") - reads, Is.GreaterThan(Keys / 4), "most were on the disk");
    }

    [Test]
    [Order(2)]
    public void Commands_of_many_keys_find_them_on_disk()
    {
        using var connection = Server.Connect();
        string[] names = [.. Enumerable.Range(0, 10_000).Select(i => Key(i * 7 % Keys))];
        var values = connection.Call(["MGET", .. names]).Items;
        Assert.That(values.Select(value => value.Text), Is.EqualTo(names.Select(name => Value(NumberOf(name)))));
        Assert.That(connection.Call(["EXISTS", .. names, "no such key"]).Integer, Is.EqualTo(names.Length));
        Assert.That(connection.Call(["TOUCH", .. names]).Integer, Is.EqualTo(names.Length));
    }

    [Test]
    [Order(3)]
    public void Scan_and_keys_and_randomkey_name_what_is_on_disk()
    {
        using var connection = Server.Connect();
        var seen = new HashSet<string>();
        var cursor = "0";
        do
        {
            var reply = connection.Call("SCAN", cursor, "COUNT", "3000");
            cursor = reply.Items[0].Text;
            seen.UnionWith(reply.Items[1].Items.Select(key => key.Text));
        }
        while (cursor != "0");
        Assert.That(seen, Has.Count.EqualTo(Keys));
        Assert.That(connection.Call("KEYS", "key:000*").Items, Has.Count.EqualTo(1000));
        Assert.That(seen, Does.Contain(connection.Call("RANDOMKEY").Text));
    }

    [Test]
    [Order(4)]
    public void Changes_of_what_is_on_disk_are_exact()
    {
        using var connection = Server.Connect();
        Assert.That(connection.Call("SETNX", Key(1), "x").Integer, Is.Zero);
        Assert.That(connection.Call("APPEND", Key(2), "++").Integer, Is.EqualTo(Value(2).Length + 2));
        Assert.That(connection.Call("GETSET", Key(3), "new").Text, Is.EqualTo(Value(3)));
        Assert.That(connection.Call("RENAME", Key(4), "renamed").Text, Is.EqualTo("OK"));
        Assert.That(connection.Call("GET", "renamed").Text, Is.EqualTo(Value(4)));
        Assert.That(connection.Call("EXPIRE", Key(5), "1000").Integer, Is.EqualTo(1));
        Assert.That(connection.Call("TTL", Key(5)).Integer, Is.InRange(900, 1000));
        Assert.That(connection.Call("MOVE", Key(6), "1").Integer, Is.EqualTo(1));
        Assert.That(connection.Call("COPY", Key(7), "renamed", "REPLACE").Integer, Is.EqualTo(1));
        Assert.That(connection.Call("GET", "renamed").Text, Is.EqualTo(Value(7)));
        Assert.That(connection.Call("STRLEN", Key(8)).Integer, Is.EqualTo(Value(8).Length));
        Assert.That(connection.Call("SETRANGE", Key(9), "0", "Z").Integer, Is.EqualTo(Value(9).Length));
        Assert.That(connection.Call("GET", Key(9)).Text, Is.EqualTo("Z" + Value(9)[1..]));
        string[] deleted = [.. Enumerable.Range(Keys - 5000, 6000).Select(Key)];
        Assert.That(connection.Call(["DEL", .. deleted]).Integer, Is.EqualTo(5000));
        Assert.That(connection.Call("DBSIZE").Integer, Is.EqualTo(Keys - 5001));
    }

    [Test]
    [Order(5)]
    public void A_large_value_comes_back_whole()
    {
        using var connection = Server.Connect();
        var value = new byte[4_000_000];
        new Random(7).NextBytes(value);
        Assert.That(connection.Call(new RespCommand(["SET"u8.ToArray(), "large"u8.ToArray(), value])).Text,
            Is.EqualTo("OK"));
        Fill(connection, 0, 20_000);
        Assert.That(connection.Call("GET", "large").Bytes, Is.EqualTo(value));
        Assert.That(connection.Call("DEL", "large").Integer, Is.EqualTo(1));
    }

    [Test]
    [Order(6)]
    public void A_damaged_record_is_an_error_and_never_a_wrong_value()
    {
        using var connection = Server.Connect();
        var segments = Directory.GetFiles(Path.Combine(Server.Folder, "strata-tier"), "segment.*");
        foreach (var segment in segments)
        {
            Damage(segment);
        }

        var damaged = 0;
        for (var i = 0; i < 2000; i++)
        {
            var reply = connection.Call("GET", Key(30_000 + i));
            damaged += reply.IsError ? 1 : 0;
            Assert.That(reply.Text, reply.IsError ? Does.StartWith("IOERR") : Is.EqualTo(Value(30_000 + i)));
        }

        Assert.That(damaged, Is.Positive);
        Assert.That(InfoOf(connection, "tier_damaged_records"), Is.GreaterThanOrEqualTo(damaged));
    }

    [Test]
    [Order(7)]
    public void Emptied_databases_leave_no_files()
    {
        using var connection = Server.Connect();
        Assert.That(connection.Call("FLUSHALL").Text, Is.EqualTo("OK"));
        Assert.That(connection.Call("DBSIZE").Integer, Is.Zero);
        Fill(connection, 0, 100);
        var folder = Path.Combine(Server.Folder, "strata-tier");
        Assert.That(() => Directory.GetFiles(folder, "segment.*").Length, Is.LessThan(20).After(Patience.Ms, 10));
    }

    [Test]
    [Order(8)]
    public void A_disk_that_is_full_refuses_writes_and_serves_reads()
    {
        using var disk = SmallDisk.Mount(megabytes: 24);
        using var server = ServerProcess.Start(ServerKind.Strata, [.. _flags, "--dir", disk.Folder]);
        using var connection = server.Connect();
        var accepted = new List<int>();
        var refusals = new List<string>();
        for (var first = 0; refusals.Count == 0 && first < 1_000_000; first += Batch)
        {
            connection.Send(Enumerable.Range(first, Batch).Select(i => RespCommand.Of("SET", Key(i), Value(i))));
            for (var i = first; i < first + Batch; i++)
            {
                var reply = connection.ReadReply();
                if (reply.IsError)
                {
                    refusals.Add(reply.Text);
                }
                else
                {
                    accepted.Add(i);
                }
            }
        }

        Assert.That(refusals, Is.Not.Empty.And.All.StartsWith("MISCONF"));
        Assert.That(connection.Call("DBSIZE").Integer, Is.EqualTo(accepted.Count));
        for (var i = 0; i < accepted.Count; i += 101)
        {
            Assert.That(connection.Call("GET", Key(accepted[i])).Text, Is.EqualTo(Value(accepted[i])));
        }

        Assert.That(connection.Call("FLUSHALL").Text, Is.EqualTo("OK"), "what frees space is not refused");
        Assert.That(() => connection.Call("SET", "again", "1").Text, Is.EqualTo("OK").After(Patience.Ms, 10));
    }

    [Test]
    [Order(9)]
    public void Killed_and_started_again_it_begins_empty()
    {
        var folder = Directory.CreateTempSubdirectory("strata-tier-test").FullName;
        try
        {
            using (var first = ServerProcess.Start(ServerKind.Strata, [.. _flags, "--dir", folder]))
            {
                using var connection = first.Connect();
                Fill(connection, 0, Keys);
                using var taken = ServerProcess.Launch(ServerKind.Strata, [.. _flags, "--dir", folder]);
                Assert.That(taken.WaitForExit(), Is.Not.Zero);
                Assert.That(() => taken.Output, Does.Contain("in use by another process").After(Patience.Ms, 10));
                first.Kill();
            }

            Assert.That(Directory.GetFiles(Path.Combine(folder, "strata-tier"), "segment.*"), Is.Not.Empty);
            using var second = ServerProcess.Start(ServerKind.Strata, [.. _flags, "--dir", folder]);
            using var again = second.Connect();
            Assert.That(again.Call("DBSIZE").Integer, Is.Zero);
            Assert.That(Directory.GetFiles(Path.Combine(folder, "strata-tier"), "segment.*"), Is.Empty);
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }

    [Test]
    public void A_folder_of_something_else_is_left_alone()
    {
        var folder = Directory.CreateTempSubdirectory("strata-tier-test").FullName;
        var file = Path.Combine(Directory.CreateDirectory(Path.Combine(folder, "strata-tier")).FullName, "segment.0");
        try
        {
            File.WriteAllText(file, "somebody's");
            using var server = ServerProcess.Launch(ServerKind.Strata, [.. _flags, "--dir", folder]);
            Assert.That(server.WaitForExit(), Is.Not.Zero);
            Assert.That(() => server.Output, Does.Contain("not the mark of this program").After(Patience.Ms, 10));
            Assert.That(File.ReadAllText(file), Is.EqualTo("somebody's"));
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }

    private static void Damage(string segment)
    {
        try
        {
            using var file = new FileStream(
                segment, FileMode.Open, FileAccess.ReadWrite, FileShare.ReadWrite, bufferSize: 0);
            for (var offset = 100; offset < file.Length; offset += 4096)
            {
                file.Position = offset;
                var old = file.ReadByte();
                file.Position = offset;
                file.WriteByte((byte)~old);
            }

            file.Flush(flushToDisk: true);
        }
        catch (FileNotFoundException exception)
        {
            TestContext.Out.WriteLine($"{exception.FileName} was empty and removed meanwhile");
        }
    }

    private static string Key(int number) => $"key:{number:000000}";

    private static int NumberOf(string key) => int.Parse(key.AsSpan(4), CultureInfo.InvariantCulture);

    private static string Value(int number)
        => $"value {number} ".PadRight(100 + (number % 53) + (number % 997 == 0 ? 3000 : 0), '.');

    private static long InfoOf(RespConnection connection, string field)
    {
        var line = connection.Call("INFO").Text.Split("\r\n").First(
            line => line.StartsWith(field + ":", StringComparison.Ordinal));
        return long.Parse(line.AsSpan(field.Length + 1), CultureInfo.InvariantCulture);
    }

    private static void Fill(RespConnection connection, int first, int count)
    {
        var batch = new StringBuilder();
        for (var i = first; i < first + count; i += Batch)
        {
            var end = Math.Min(i + Batch, first + count);
            batch.Clear();
            for (var number = i; number < end; number++)
            {
                var (key, value) = (Key(number), Value(number));
                batch.Append(CultureInfo.InvariantCulture,
                    $"*3\r\n$3\r\nSET\r\n${key.Length}\r\n{key}\r\n${value.Length}\r\n{value}\r\n");
            }

            connection.SendRaw(batch.ToString());
            for (var number = i; number < end; number++)
            {
                Assert.That(connection.ReadReply().Text, Is.EqualTo("OK"));
            }
        }
    }
}
