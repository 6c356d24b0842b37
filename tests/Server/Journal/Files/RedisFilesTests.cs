using NUnit.Framework;
using Strata.Server;
using Strata.Server.Journal.Files;
using Strata.Storage.Runtime;
using Strata.Tests.Support;
using static Strata.Tests.Server.Journal.Files.JournalKit;

namespace Strata.Tests.Server.Journal.Files;

/// <summary>Our files in the hands of Redis 7, and Redis's in ours.</summary>
[TestFixture]
internal sealed unsafe class RedisFilesTests
{
    private const string FolderName = "appendonlydir";

    private static readonly string[] s_journal = ["--appendonly", "yes"];

    private string _directory = null!;

    [SetUp]
    public void Make() => _directory = Directory.CreateTempSubdirectory("strata-journal-").FullName;

    [TearDown]
    public void Remove() => Directory.Delete(_directory, recursive: true);

    [Test]
    public void Redis_loads_our_folder_and_goes_on_in_it()
    {
        var files = NewFiles();
        Assert.That(files.Load(), Is.False);
        Assert.That(files.Exists, Is.False);
        AssertNone(files.BeginIncrement(0, out var writer));
        AppendBatch(writer!, Command("SELECT", "0"), Command("SET", "first", "1"));
        AssertNone(writer!.Stamp(1795563059));
        AppendBatch(writer, Command("MULTI"), Command("SET", "second", "2"), Command("EXEC"));
        AssertNone(writer.Sync());
        writer = GoOnInNext(files, writer!);
        AppendBatch(writer!, Command("SET", "third", "3"));
        AssertNone(writer!.Finish());
        writer.Dispose();
        CheckByRedis(isRight: true);

        using (var redis = StartRedis())
        {
            using var client = redis.Connect();
            Assert.That(client.Call("MGET", "first", "second", "third").Items.Select(item => item.Text),
                Is.EqualTo(new[] { "1", "2", "3" }));
            client.Call("SELECT", "3");
            client.Call("SET", "fourth", "4");
            redis.StopGracefully();
        }

        var given = ReadAll(out var end);
        Assert.That(given, Is.EqualTo(Joined(
            Command("SELECT", "0"), Command("SET", "first", "1"),
            Command("MULTI"), Command("SET", "second", "2"), Command("EXEC"), Command("SET", "third", "3"),
            Command("SELECT", "3"), Command("SET", "fourth", "4"))));
        Assert.That((end.CanResume, end.CutBytes), Is.EqualTo((false, 0)));
    }

    /// <summary>A server that was killed leaves filler behind what it has written.</summary>
    [Test]
    public void Redis_skips_filler_and_goes_on_behind_it([Range(0, 3)] int bytes)
    {
        var files = NewFiles();
        _ = files.Load();
        AssertNone(files.BeginIncrement(0, out var writer));
        writer!.FillAheadBytes = ServerLimits.JournalFillerBytes;
        var ours = Command("SET", "first", new string('1', 10 + bytes));
        AppendBatch(writer, Command("SELECT", "0"), ours);
        // The last batch ends just before and just behind the end of a line of the filler, among others.
        var toLineEnd = (int)(JournalFiller.LineBytes - 3 + bytes - (writer.SizeBytes % JournalFiller.LineBytes));
        var padding = toLineEnd < 0 ? toLineEnd + JournalFiller.LineBytes : toLineEnd;
        var second = Command("SET", "second", new string('2', padding + 10));
        AppendBatch(writer, second);
        writer.Dispose();
        CheckByRedis(isRight: true);
        for (var i = 0; i < 2; i++)
        {
            using var redis = StartRedis();
            using var client = redis.Connect();
            client.Call("APPEND", "third", "3");
            redis.StopGracefully();
        }

        CheckByRedis(isRight: true);
        var third = Joined(Command("SELECT", "0"), Command("APPEND", "third", "3"));
        Assert.That(ReadAll(out _), Is.EqualTo(Joined(Command("SELECT", "0"), ours, second, third, third)));
    }

    [Test]
    public void Redis_rewrites_our_folder()
    {
        var files = NewFiles();
        _ = files.Load();
        AssertNone(files.BeginIncrement(0, out var writer));
        AppendBatch(writer!, Command("SELECT", "0"), Command("SET", "key", "of ours"));
        AssertNone(writer!.Finish());
        writer.Dispose();
        using (var redis = StartRedis())
        {
            using var client = redis.Connect();
            client.Call("BGREWRITEAOF");
            WaitUntilRewritten(client);
            client.Call("APPEND", "key", " and theirs");
            redis.StopGracefully();
        }

        files = NewFiles();
        _ = files.Load();
        Assert.That(files.Manifest.Base!.Name, Is.EqualTo("appendonly.aof.1.base.rdb"));
        Assert.That(files.Manifest.Increments, Has.Count.EqualTo(1));
        var expected = Joined(Command("SELECT", "0"), Command("APPEND", "key", " and theirs"));
        Assert.That(ReadAll(out _), Is.EqualTo(expected));
    }

    [Test]
    public void Our_rewrite_is_loaded_by_Redis()
    {
        var files = NewFiles();
        _ = files.Load();
        AssertNone(files.BeginIncrement(0, out var writer));
        AppendBatch(writer!, Command("SELECT", "0"), Command("SET", "key", "old"));
        writer = GoOnInNext(files, writer!);
        AssertNone(files.CreateBase(JournalBaseKind.Commands, out var file));
        AssertNone(files.BeginBase(file!, out var baseWriter));
        AppendBatch(baseWriter!, Command("SELECT", "0"), Command("SET", "key", "new"));
        AssertNone(baseWriter!.Finish());
        baseWriter.Dispose();
        AssertNone(files.EndRewrite(writer!.Sequence));
        AssertNone(files.DeleteHistory());
        AppendBatch(writer, Command("SELECT", "0"), Command("APPEND", "key", "er"));
        AssertNone(writer.Finish());
        writer.Dispose();
        Assert.That(
            Directory.GetFiles(Path.Combine(_directory, FolderName)).Select(Path.GetFileName),
            Is.EquivalentTo(new[] { $"{Name}.1.base.aof", $"{Name}.2.incr.aof", $"{Name}.manifest" }));
        CheckByRedis(isRight: true);
        using var redis = StartRedis();
        using var client = redis.Connect();
        Assert.That(client.Call("GET", "key").Text, Is.EqualTo("newer"));
    }

    [Test]
    public void A_journal_of_Redis_is_read([Values("yes", "no")] string preamble, [Values("yes", "no")] string stamps)
    {
        using (var redis = StartRedis(
            "--aof-use-rdb-preamble", preamble, "--aof-timestamp-enabled", stamps, "--appendfilename", "the journal"))
        {
            using var client = redis.Connect();
            client.Call("SET", "a", "1");
            client.Call("BGREWRITEAOF");
            WaitUntilRewritten(client);
            client.Call("MULTI");
            client.Call("SET", "b", "2");
            client.Call("DEL", "a");
            client.Call("EXEC");
            redis.StopGracefully();
        }

        var files = NewFiles("the journal");
        Assert.That(files.Load(), Is.False);
        var text = File.ReadAllBytes(Path.Combine(_directory, FolderName, "the journal.manifest"));
        Assert.That(ManifestText.Write(files.Manifest).AsSpan().StartsWith(text));
        AssertNone(files.Open(files.Manifest.Base!.Name, out var file));
        using (file)
        {
            Assert.That(JournalFileReader.IsRdb(file!), Is.EqualTo(preamble == "yes"));
        }

        var change = Joined(Command("MULTI"), Command("SET", "b", "2"), Command("DEL", "a"), Command("EXEC"));
        var given = ReadAll(out var end, "the journal");
        Assert.That(given.AsSpan().EndsWith(change), Is.True);
        Assert.That(given.Length, preamble == "yes" ? Is.LessThan(200) : Is.Positive);
        Assert.That((end.CutBytes, end.CanResume), Is.EqualTo((0, false)));
    }

    [Test]
    public void The_file_of_a_Redis_before_7_is_taken_over_as_by_Redis()
    {
        var old = Joined(Command("SELECT", "0"), Command("SET", "key", "old"));
        File.WriteAllBytes(Path.Combine(_directory, Name), old);
        var files = NewFiles();
        Assert.That(files.Load());
        Assert.That(files.Manifest.Base, Is.EqualTo(new ManifestPart(Name, 1, ManifestPartKind.Base)));
        Assert.That(File.Exists(Path.Combine(_directory, Name)), Is.False);
        Assert.That(ReadAll(out _), Is.EqualTo(old));
        var manifest = File.ReadAllLines(Path.Combine(_directory, FolderName, Name + ".manifest"));
        using var redis = StartRedis();
        using var client = redis.Connect();
        Assert.That(client.Call("GET", "key").Text, Is.EqualTo("old"));
        Assert.That(
            File.ReadAllLines(Path.Combine(_directory, FolderName, Name + ".manifest"))[0], Is.EqualTo(manifest[0]));
    }

    private static void WaitUntilRewritten(RespConnection client)
        => WaitFor(client, "aof_rewrite_in_progress:0\r\naof_rewrite_scheduled:0\r\n");

    private static void WaitFor(RespConnection client, string state)
    {
        var deadline = Environment.TickCount64 + Patience.Ms;
        while (!client.Call("INFO", "persistence").Text.Contains(state, StringComparison.Ordinal))
        {
            Assert.That(Environment.TickCount64, Is.LessThan(deadline), $"Redis comes to say {state}");
            Thread.Sleep(10);
        }
    }

    private void CheckByRedis(bool isRight)
    {
        _ = RedisProcess.Program();
        var program = ProgramRun.Find("redis-check-aof");
        if (program is null)
        {
            Assert.Ignore("redis-check-aof isn't in PATH; install Redis's tools to run this.");
        }

        var (code, output) = ProgramRun.Run(program!, [Path.Combine(_directory, FolderName, Name + ".manifest")]);
        Assert.That(code, isRight ? Is.Zero : Is.Not.Zero, output);
    }

    /// <summary>A server that has loaded the folder.</summary>
    private ServerProcess StartRedis(params string[] flags)
    {
        var redis = RedisProcess.Start([.. s_journal, "--dir", _directory, .. flags]);
        using var client = redis.Connect();
        WaitFor(client, "\r\nloading:0\r\n"); // Before that it answers, too.
        return redis;
    }

    private JournalFiles NewFiles(string name = Name)
        => new(
            new DiskFolder(_directory), new DiskFolder(Path.Combine(_directory, FolderName)), name, Platform.Machine);

    /// <summary>All commands of the folder, but those in an RDB.</summary>
    private byte[] ReadAll(out JournalEnd end, string name = Name)
    {
        var files = NewFiles(name);
        _ = files.Load();
        var given = new MemoryStream();
        end = default;
        foreach (var part in files.Manifest.Live)
        {
            AssertNone(files.Open(part.Name, out var file));
            using (file)
            {
                if (!JournalFileReader.IsRdb(file!))
                {
                    var isBase = part.Kind == ManifestPartKind.Base;
                    end = ReadTo(given, file!, Last with { MayEndTorn = !isBase, IsBase = isBase });
                }
            }
        }

        AssertNone(files.Measure(out var total, out var baseBytes));
        Assert.That(total, Is.GreaterThanOrEqualTo(baseBytes));
        return given.ToArray();
    }
}
