using NUnit.Framework;
using Strata.Server.Hosting.Checks;
using Strata.Server.Journal.Files;
using Strata.Server.Lifecycle;
using Strata.Storage.Runtime;
using Strata.Tests.Server.Rdb;
using static Strata.Tests.Server.Journal.Files.JournalKit;

namespace Strata.Tests.Server.Hosting;

/// <summary>What <c>--check-aof</c> says of a journal, and mends.</summary>
[TestFixture]
internal sealed class JournalCheckTests
{
    private static readonly byte[] s_set = Command("SET", "key", "value");

    private string _folder = null!;

    [SetUp]
    public void Make() => _folder = Directory.CreateTempSubdirectory("strata-journal-").FullName;

    [TearDown]
    public void Remove() => Directory.Delete(_folder, recursive: true);

    [TestCase("", TestName = "A_folder_is_checked")]
    [TestCase("appendonly.aof.manifest", TestName = "A_manifest_is_checked")]
    public void All_is_checked(string name)
    {
        WriteJournal();
        var (code, output) = Check(Path.Combine(_folder, name));
        Assert.That(code, Is.EqualTo(ExitCode.Ok), output);
        Assert.That(output, Does.StartWith("Start checking Multi Part AOF\nStart to check INCR files.\n")
            .And.Contain("AOF analyzed: filename=appendonly.aof.1.incr.aof, size=")
            .And.Contain("diff=0, checksums=yes\n")
            .And.EndWith("INCR AOF appendonly.aof.2.incr.aof is valid\nAll AOF files and manifest are valid\n"));
    }

    [Test]
    public void A_torn_end_is_cut_when_the_user_agrees()
    {
        WriteJournal();
        var last = Path.Combine(_folder, "appendonly.aof.2.incr.aof");
        var whole = File.ReadAllBytes(last);
        var torn = Joined(whole, s_set[..^3]);
        File.WriteAllBytes(last, torn);

        AssertSays(ExitCode.Damaged, "is not valid. Use the --fix option", _folder);
        AssertSays(ExitCode.Damaged, "Continue? [y/N]: Aborting", _folder, "\n");
        Assert.That(File.ReadAllBytes(last), Is.EqualTo(torn));
        AssertSays(ExitCode.Ok, "Successfully truncated INCR AOF", _folder, "y\n");
        Assert.That(File.ReadAllBytes(last), Is.EqualTo(whole));
        Assert.That(Check(_folder).Code, Is.EqualTo(ExitCode.Ok));
    }

    [Test]
    public void Damage_is_found_and_only_in_the_last_file_cut()
    {
        WriteJournal();
        foreach (var name in new[] { "appendonly.aof.1.incr.aof", "appendonly.aof.2.incr.aof" })
        {
            var path = Path.Combine(_folder, name);
            var content = File.ReadAllBytes(path);
            content.AsSpan()[content.AsSpan().IndexOf("value"u8)]++;
            File.WriteAllBytes(path, content);
        }

        AssertSays(ExitCode.Damaged, "because it is not the last file", _folder, "y\n");
        var first = Path.Combine(_folder, "appendonly.aof.2.incr.aof");
        AssertSays(ExitCode.Damaged, "is damaged at offset", first);
        Assert.That(Check(first, "y\n").Code, Is.EqualTo(ExitCode.Ok));
        Assert.That(Check(first).Code, Is.EqualTo(ExitCode.Ok));
    }

    [Test]
    public void A_file_of_Redis_is_checked()
    {
        var path = Path.Combine(_folder, "old.aof");
        File.WriteAllBytes(path, Joined(s_set, Command("MULTI"), s_set));
        var (code, output) = Check(path);
        Assert.That(code, Is.EqualTo(ExitCode.Damaged));
        Assert.That(output, Does.StartWith("Start checking Old-Style AOF\n").And.Contain(
            $"ok_up_to={s_set.Length}, diff={Command("MULTI").Length + s_set.Length}, checksums=no"));
        Assert.That(Check(path, "y").Code, Is.EqualTo(ExitCode.Ok));
        Assert.That(File.ReadAllBytes(path), Is.EqualTo(s_set));
    }

    [Test]
    public void The_rdb_that_a_file_begins_with_is_checked()
    {
        var rdb = Rdb();
        var path = Path.Combine(_folder, "old.aof");
        File.WriteAllBytes(path, rdb);
        AssertSays(ExitCode.Ok, $"The RDB is whole: {rdb.Length} bytes, 1 keys; 0 bytes of commands", path);
        File.WriteAllBytes(path, Joined(rdb, s_set));
        AssertSays(ExitCode.Ok, $"size={rdb.Length + s_set.Length}, ok_up_to={rdb.Length + s_set.Length}", path);
        File.WriteAllBytes(path, Joined(rdb, s_set, s_set[..^3]));
        AssertSays(ExitCode.Damaged, $"ok_up_to={rdb.Length + s_set.Length}, diff={s_set.Length - 3}", path);
        AssertSays(ExitCode.Ok, "Successfully truncated", path, "y");
        Assert.That(File.ReadAllBytes(path), Is.EqualTo(Joined(rdb, s_set)));
        File.WriteAllBytes(path, rdb[..^9]);
        AssertSays(ExitCode.Damaged, "The RDB cannot be loaded: ", path, "y");
        Assert.That(File.ReadAllBytes(path), Is.EqualTo(rdb[..^9]), "there is nowhere to cut it");
    }

    [Test]
    public void The_base_of_a_manifest_is_checked([Values] bool isDamaged)
    {
        var rdb = Rdb();
        rdb[9] = (byte)(isDamaged ? 200 : 0);
        File.WriteAllBytes(Path.Combine(_folder, "a.1.base.rdb"), rdb);
        File.WriteAllBytes(Path.Combine(_folder, "a.1.incr.aof"), s_set);
        File.WriteAllText(
            Path.Combine(_folder, "a.manifest"), "file a.1.base.rdb seq 1 type b\nfile a.1.incr.aof seq 1 type i\n");
        AssertSays(isDamaged ? ExitCode.Damaged : ExitCode.Ok, "Start to check BASE AOF (RDB format).", _folder);
        AssertSays(
            isDamaged ? ExitCode.Damaged : ExitCode.Ok,
            isDamaged ? "The RDB cannot be loaded" : "BASE AOF a.1.base.rdb is valid\nStart to check INCR files.",
            _folder);
    }

    [Test]
    public void An_empty_file_and_one_that_is_not_there_are_told()
    {
        var path = Path.Combine(_folder, "old.aof");
        File.WriteAllBytes(path, []);
        AssertSays(ExitCode.Ok, "is empty", path);
        AssertSays(ExitCode.Damaged, "No such file or directory", path + ".x");
        AssertSays(ExitCode.Damaged, "holds no manifest", _folder);
    }

    private static byte[] Rdb()
        => [.. new PayloadBuilder().Text("REDIS0010").Byte(0).String("k").String("v").Byte(255).Int64(0).Bytes];

    private static void AssertSays(ExitCode code, string text, string path, string? answer = null)
    {
        var seen = Check(path, answer);
        Assert.That(seen.Code, Is.EqualTo(code), seen.Output);
        Assert.That(seen.Output, Does.Contain(text));
    }

    private static (ExitCode Code, string Output) Check(string path, string? answer = null)
    {
        using var output = new StringWriter();
        var code = JournalCheck.Run(path, answer is not null, new StringReader(answer ?? ""), output);
        return (code, output.ToString());
    }

    private void WriteJournal()
    {
        var files = new JournalFiles(new DiskFolder(_folder), new DiskFolder(_folder), Name, Platform.Machine);
        _ = files.Load();
        AssertNone(files.BeginIncrement(0, out var writer));
        AppendBatch(writer!, s_set, s_set);
        writer = GoOnInNext(files, writer!);
        AppendBatch(writer!, s_set);
        AssertNone(writer!.Finish());
        writer.Dispose();
    }
}
