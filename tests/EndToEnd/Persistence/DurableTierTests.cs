using System.Globalization;
using NUnit.Framework;
using Strata.Tests.Support;

namespace Strata.Tests.EndToEnd.Persistence;

/// <summary>With a journal the files of the tier are data: they survive a kill, and nothing of them is served that is
/// not as it was written.</summary>
[TestFixture("1")]
[TestFixture("3")]
internal sealed class DurableTierTests(string workers) : JournalFixture(workers)
{
    private const int Keys = 12_000;
    private const int ValueBytes = 1000;

    private static readonly string[] s_tier =
    [
        "--storage-tier", "yes", "--maxmemory", "8mb", "--shards", "4", "--segment-size", "1mb",
        "--auto-aof-rewrite-min-size", "1mb", "--hash-max-listpack-entries", "16",
    ];

    private string Tier => Path.Combine(Folder, "strata-tier");

    private string Base => Directory.GetFiles(Aof, "*.base.checkpoint").Single();

    [Test]
    public void All_that_was_acknowledged_survives_kills()
    {
        IReadOnlyList<string> image;
        using (var server = StartTier())
        {
            using var connection = server.Connect();
            Load(connection);
            AofRewrites.Do(connection);
            Change(connection, round: 0);
            image = KeyspaceImage.Of(server);
            Assert.That(ServerInfo.Number(connection, "tier", "tier_cold_pages"), Is.GreaterThan(50));
            server.Kill();
        }

        for (var round = 1; round <= 3; round++)
        {
            using var server = StartTier();
            Assert.That(KeyspaceImage.Of(server), Is.EqualTo(image));
            using var connection = server.Connect();
            Assert.That(ServerInfo.Number(connection, "tier", "tier_damaged_records"), Is.Zero);
            if (round == 2)
            {
                Change(connection, round);
                AofRewrites.Do(connection);
                image = KeyspaceImage.Of(server);
                server.StopGracefully();
            }
            else
            {
                server.Kill();
            }
        }

        Assert.That(StrataCheck(), Does.Contain("The checkpoint is whole").And.Contain("All AOF files and manifest"));
    }

    /// <summary>STRATA PREFIXES names nothing that nobody knows, says how many keys that is, and has pages be read
    /// until it knows.</summary>
    [Test]
    public void Names_of_keys_on_the_disk_are_learned_after_a_start()
    {
        const int Count = 1200;
        using (var server = StartTier("--enable-debug-command", "yes"))
        {
            using var connection = server.Connect();
            for (var i = 0; i < Count; i++)
            {
                var prefix = i % 3 == 0 ? "few" : "most";
                connection.Call("SET", $"{prefix}:{i:D6}", new string('v', ValueBytes));
            }

            connection.Call("DEBUG", "TIER-EAGER", "1");
            Patience.Await(() => Prefixes(connection) is { Unread: 0, Few: Count / 3, IsOnDisk: true });
            AofRewrites.Do(connection);
            server.Kill();
        }

        using var started = StartTier();
        using var client = started.Connect();
        Assert.That(client.Call("DBSIZE").Integer, Is.EqualTo(Count));
        Patience.Await(
            () => Prefixes(client) is { Unread: 0, Few: Count / 3, IsOnDisk: true }, () => $"{Prefixes(client)}");
        Assert.That(ServerInfo.Number(client, "tier", "tier_read_requests"), Is.Positive);
    }

    [Test]
    public void A_start_that_does_not_fit_the_files_is_refused()
    {
        Make();
        Assert.That(Refusal("--shards", "8"), Does.Contain("'shards' 4").And.Contain("appendonly.aof"));
        Assert.That(Refusal("--segment-size", "2mb"), Does.Contain("'segment-size' 1048576"));
        Assert.That(Refusal("--storage-tier", "no"), Does.Contain("storage-tier yes"));
        Assert.That(Refusal("--appendonly", "no"), Does.Contain("appendonly yes").And.Contain("are data"));
        Assert.That(Refusal("--appenddirname", "other"), Does.Contain("appenddirname appendonlydir"));
        AssertThatAllIsThere();
    }

    [Test]
    public void A_damaged_checkpoint_is_refused()
    {
        Make();
        var path = Base;
        var whole = File.ReadAllBytes(path);
        var random = new Random(1);
        for (var i = 0; i < 4; i++)
        {
            var place = random.Next(whole.Length);
            var flipped = (byte[])whole.Clone();
            flipped[place] ^= 0x10;
            File.WriteAllBytes(path, flipped);
            Assert.That(Refusal(), Does.Contain(path).And.Contain("at byte").And.Contain("--check-aof"), $"{place}");
            Assert.That(StrataCheck(), Does.Contain("cannot be loaded"), $"{place}");
        }

        File.WriteAllBytes(path, whole[..^1]);
        Assert.That(Refusal(), Does.Contain("its end is missing"));
        File.WriteAllBytes(path, whole);
        AssertThatAllIsThere();
    }

    [Test]
    public void A_missing_or_short_segment_is_refused()
    {
        Make();
        var segment = Directory.GetFiles(Tier, "segment.*").MaxBy(static file => new FileInfo(file).Length)!;
        var whole = File.ReadAllBytes(segment);
        File.Delete(segment);
        Assert.That(Refusal(), Does.Contain(Path.GetFileName(segment)).And.Contain("has 0 bytes"));
        File.WriteAllBytes(segment, whole[..4096]);
        Assert.That(Refusal(), Does.Contain(Path.GetFileName(segment)).And.Contain("has 4096 bytes"));
        File.WriteAllBytes(segment, whole);
        AssertThatAllIsThere();
    }

    [Test]
    public void A_flipped_byte_of_a_segment_costs_at_most_its_key()
    {
        Make();
        var random = new Random(2);
        foreach (var segment in Directory.GetFiles(Tier, "segment.*"))
        {
            using var file = File.Open(segment, FileMode.Open);
            for (var i = 0; i < 5; i++)
            {
                var place = random.NextInt64(file.Length);
                file.Position = place;
                var value = file.ReadByte();
                file.Position = place;
                file.WriteByte((byte)(value ^ (1 << random.Next(8))));
            }
        }

        using var server = StartTier();
        using var connection = server.Connect();
        var lost = 0;
        for (var i = 0; i < Keys; i++)
        {
            var reply = connection.Call("GET", $"key:{i}");
            if (reply.IsError)
            {
                Assert.That(reply.Text, Does.StartWith("IOERR"));
                lost++;
            }
            else
            {
                Assert.That(reply.Text, Is.EqualTo(Value(i, 0)));
            }
        }

        Assert.That(lost, Is.InRange(1, 5 * Directory.GetFiles(Tier, "segment.*").Length));
    }

    [Test]
    public void What_was_not_listed_before_a_crash_does_not_count()
    {
        Make();
        var checkpoint = Base;
        File.Copy(checkpoint, checkpoint.Replace(".1.base", ".2.base", StringComparison.Ordinal));
        File.WriteAllBytes(Path.Combine(Tier, "segment.4000"), new byte[4096]);
        AssertThatAllIsThere();
        Assert.That(File.Exists(Path.Combine(Tier, "segment.4000")), Is.False);
        Assert.That(Base, Is.EqualTo(checkpoint));
    }

    [Test]
    public void Files_that_are_nobodys_data_any_more_are_removed()
    {
        Make();
        var manifest = Path.Combine(Aof, "appendonly.aof.manifest");
        var lines = File.ReadAllLines(manifest).Where(line => line.EndsWith("type i", StringComparison.Ordinal));
        File.WriteAllLines(manifest, lines);
        using (var server = StartTier())
        {
            using var connection = server.Connect();
            Assert.That(connection.Call("DBSIZE").Integer, Is.Zero);
            Assert.That(Directory.GetFiles(Tier, "segment.*"), Is.Empty);
            server.StopGracefully();
        }
    }

    [Test]
    public void Files_of_a_journal_that_is_gone_are_not_removed()
    {
        Make();
        var away = Aof + ".away";
        Directory.Move(Aof, away);
        Assert.That(Refusal(), Does.Contain(Aof).And.Contain("is not there"));
        Assert.That(Refusal("--appendonly", "no"), Does.Contain("put it back"));
        Assert.That(Directory.Exists(Aof), Is.False);
        Directory.Move(away, Aof);
        AssertThatAllIsThere();
    }

    /// <summary>A copy of the journal that lies beside it is older, and what it does not name is data all the same.
    /// </summary>
    [Test]
    public void Files_of_a_journal_are_not_removed_for_a_copy_of_it()
    {
        Make();
        foreach (var file in Directory.GetFiles(Aof))
        {
            File.Copy(file, Path.Combine(Directory.CreateDirectory(Aof + "2").FullName, Path.GetFileName(file)));
        }

        Assert.That(
            Refusal("--appenddirname", "appendonlydir2"), Does.Contain("are data").And.Contain("appendonlydir'"));
        AssertThatAllIsThere();
    }

    [Test]
    public void Files_are_not_removed_where_only_the_journal_says_whose_they_are()
    {
        Make();
        File.Delete(Path.Combine(Tier, "KEPT"));
        Assert.That(Refusal("--appendonly", "no"), Does.Contain("are data").And.Contain("appendonly yes"));
        AssertThatAllIsThere();
        Assert.That(File.Exists(Path.Combine(Tier, "KEPT")));
    }

    /// <summary>While nobody can tell whose data the files are, none is removed; their journal can.</summary>
    [TestCase("cut")]
    [TestCase("flipped")]
    [TestCase("empty")]
    public void A_damaged_note_of_whose_data_the_files_are_is_mended_by_their_journal(string damage)
    {
        Make();
        var note = Path.Combine(Tier, "KEPT");
        var whole = File.ReadAllBytes(note);
        var flipped = (byte[])whole.Clone();
        flipped[3] ^= 1;
        File.WriteAllBytes(note, damage switch { "cut" => whole[..^5], "flipped" => flipped, _ => [] });
        Assert.That(Refusal("--appendonly", "no"), Does.Contain(note).And.Contain("which mends it"));
        AssertThatAllIsThere();
        Assert.That(File.ReadAllBytes(note), Is.EqualTo(whole));
    }

    [TestCase("Strata tier 2\n")]
    [TestCase("Strata")]
    [TestCase(null)]
    public void A_damaged_mark_is_refused_with_what_mends_it(string? damage)
    {
        Make();
        var mark = Path.Combine(Tier, "MARK");
        var whole = File.ReadAllText(mark);
        if (damage == null)
        {
            File.Delete(mark);
        }
        else
        {
            File.WriteAllText(mark, damage);
        }

        var refusal = Refusal();
        var command = $"echo '{whole.TrimEnd()}' > '{mark}'";
        Assert.That(refusal, Does.Contain(command));
        using (var shell = System.Diagnostics.Process.Start("/bin/sh", ["-c", command]))
        {
            shell.WaitForExit();
        }

        AssertThatAllIsThere();
    }

    /// <summary>What is no file is refused at once: a pipe is not waited for.</summary>
    [TestCase("folder")]
    [TestCase("pipe")]
    [TestCase("loop")]
    [TestCase("link")]
    public void A_note_that_is_no_file_is_refused_with_what_mends_it(string kind)
    {
        Make();
        var note = Path.Combine(Tier, "KEPT");
        var whole = File.ReadAllBytes(note);
        File.Delete(note);
        OddFile.Make(note, kind);
        Assert.That(
            Refusal("--appendonly", "no"),
            Does.Contain($"{note} is a ").And.Contain("no file: move it away, and start with 'appendonly yes'"));
        if (kind == "folder")
        {
            Assert.That(Refusal(), Does.Contain($"{note} is a folder, and no file: move it away"));
            OddFile.Remove(note);
        }

        AssertThatAllIsThere();
        Assert.That(File.ReadAllBytes(note), Is.EqualTo(whole));
    }

    [TestCase("folder")]
    [TestCase("pipe")]
    [TestCase("loop")]
    [TestCase("link")]
    public void A_mark_that_is_no_file_is_refused_with_what_mends_it(string kind)
    {
        Make();
        var mark = Path.Combine(Tier, "MARK");
        var whole = File.ReadAllText(mark);
        File.Delete(mark);
        OddFile.Make(mark, kind);
        Assert.That(
            Refusal(),
            Does.Contain($"{mark} is a ").And.Contain("no file: move it away")
                .And.Contain($"echo '{whole.TrimEnd()}' > '{mark}'"));
        OddFile.Remove(mark);
        File.WriteAllText(mark, whole);
        AssertThatAllIsThere();
    }

    /// <summary>Whatever has the name of a file that is only made for a moment is not written to.</summary>
    [Test]
    public void What_is_in_the_way_of_passing_files_is_not_written_to()
    {
        Make();
        var precious = Path.Combine(Folder, "precious");
        File.WriteAllText(precious, "precious");
        File.CreateSymbolicLink(Path.Combine(Tier, "PROBE"), precious);
        File.Delete(Path.Combine(Tier, "KEPT"));
        OddFile.Make(Path.Combine(Tier, "KEPT.new"), "pipe");
        AssertThatAllIsThere();
        Assert.That(File.ReadAllText(precious), Is.EqualTo("precious"));
        OddFile.Make(Path.Combine(Tier, "PROBE"), "folder");
        Assert.That(Refusal(), Does.Contain($"{Path.Combine(Tier, "PROBE")} is a folder, and no file: move it away"));
    }

    [Test]
    public void A_journal_that_is_switched_on_later_keeps_what_is_on_the_disk()
    {
        using (var server = Start([.. s_tier, "--appendfsync", "always"]))
        {
            using var connection = server.Connect();
            Fill(connection);
            Assert.That(connection.Call("CONFIG", "SET", "appendonly", "yes").Text, Is.EqualTo("OK"));
            ServerInfo.WaitFor(connection, "persistence", "aof_rewrites", 1);
            AofRewrites.Await(connection);
            Assert.That(connection.Call("SET", "after", "it").Text, Is.EqualTo("OK"));
            Assert.That(connection.Call("WAITAOF", "1", "0", "0").Items[0].Integer, Is.EqualTo(1));
            server.Kill();
        }

        AssertThatAllIsThere(more: 1);
    }

    private static string Value(int number, int round)
        => $"{number}:{round}:".PadRight(ValueBytes, (char)('a' + (number % 26)));

    private static void Fill(RespConnection connection)
        => Send(connection, Enumerable.Range(0, Keys).Select(i => RespCommand.Of("SET", $"key:{i}", Value(i, 0))));

    private static void Load(RespConnection connection)
    {
        Fill(connection);
        Send(connection, Enumerable.Range(0, 2000).Select(i => RespCommand.Of(
            "SET", $"expires:{i}", Value(i, 0), "PX", (100_000_000 + i).ToString(CultureInfo.InvariantCulture))));
        foreach (var number in Enumerable.Range(0, 30))
        {
            Send(connection, Enumerable.Range(0, 100).SelectMany(i => new[]
            {
                RespCommand.Of("HSET", $"hash:{number}", $"field:{i}", $"{i}".PadRight(40, 'h')),
                RespCommand.Of("RPUSH", $"list:{number}", $"{i}".PadRight(40, 'l')),
                RespCommand.Of("SADD", $"set:{number}", $"{i}".PadRight(40, 's')),
                RespCommand.Of("ZADD", $"sorted:{number}", $"{i}", $"{i}".PadRight(40, 'z')),
            }));
        }

        Send(connection, [RespCommand.Of("SELECT", "2")]);
        Send(connection, Enumerable.Range(0, 3000).Select(i => RespCommand.Of("SET", $"key:{i}", Value(i, 7))));
        Send(connection, [RespCommand.Of("SWAPDB", "2", "5"), RespCommand.Of("SELECT", "0")]);
    }

    /// <summary>While the journal is rewritten, once and again.</summary>
    private static void Change(RespConnection connection, int round)
    {
        for (var i = 0; i < Keys; i += 100)
        {
            if (i % 3000 == 0)
            {
                _ = connection.Call("BGREWRITEAOF"); // One may be under way.
            }

            var first = i;
            Send(connection, Enumerable.Range(0, 20).SelectMany(j => new[]
            {
                RespCommand.Of("SET", $"key:{first + j}", Value(first + j, round + 1)),
                RespCommand.Of("DEL", $"key:{first + j + 50}"),
                RespCommand.Of("APPEND", $"key:{first + j + 70}", $"{round}"),
                RespCommand.Of("HSET", $"hash:{j}", "changed", $"{first}"),
            }));
        }
    }

    private static void Send(RespConnection connection, IEnumerable<RespCommand> commands)
    {
        foreach (var some in commands.Chunk(200))
        {
            connection.Send(some);
            foreach (var _ in some)
            {
                Assert.That(connection.ReadReply().IsError, Is.False);
            }
        }
    }

    /// <summary>What STRATA PREFIXES says: keys without a name, keys of a prefix, and whether most of those are on the
    /// disk.</summary>
    private static (long Unread, long Few, bool IsOnDisk) Prefixes(RespConnection connection)
    {
        var report = connection.Call("STRATA", "PREFIXES").Items;
        var few = report[15].Items.Select(static prefix => prefix.Items).FirstOrDefault(
            static prefix => prefix[1].Text == "few:");
        return (report[9].Integer, few?[5].Integer ?? 0, few?[17].Integer > few?[11].Integer);
    }

    private ServerProcess StartTier(params string[] flags)
        => Start([.. s_tier, "--appendonly", "yes", "--appendfsync", "always", .. flags]);

    /// <summary>Leaves files behind of which a checkpoint has the keys.</summary>
    private void Make()
    {
        using var server = StartTier("--auto-aof-rewrite-percentage", "0");
        using var connection = server.Connect();
        Fill(connection);
        AofRewrites.Do(connection);
        server.Kill();
    }

    private void AssertThatAllIsThere(int more = 0)
    {
        using var server = StartTier();
        using var connection = server.Connect();
        Assert.That(connection.Call("DBSIZE").Integer, Is.EqualTo(Keys + more));
        for (var i = 0; i < Keys; i += 7)
        {
            Assert.That(connection.Call("GET", $"key:{i}").Text, Is.EqualTo(Value(i, 0)));
        }

        server.Kill();
    }

    private string Refusal(params string[] flags)
    {
        using var server = ServerProcess.Launch(
            ServerKind.Strata,
            [
                "--dir", Folder, "--workers", Workers, "--save", "", .. Without(flags), .. flags,
            ]);
        Assert.That(server.WaitForExit(), Is.Not.Zero);
        return server.Output;
    }

    /// <summary>The tests' flags but for those that are given.</summary>
    private static IEnumerable<string> Without(string[] flags)
        => s_tier.Concat(["--appendonly", "yes"]).Chunk(2).Where(pair => !flags.Contains(pair[0])).SelectMany(
            static pair => pair);

    private string StrataCheck() => ProgramRun.Run(StrataProcess.Program(), ["--check-aof", Aof]).Output;
}
