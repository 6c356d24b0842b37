using System.Text;
using NUnit.Framework;
using Strata.Server.Journal.Files;
using static Strata.Tests.Server.Journal.Files.JournalKit;

namespace Strata.Tests.Server.Journal.Files;

/// <summary>The journal's folder: what is listed, taken over, left behind, and in doubt.</summary>
[TestFixture]
internal sealed class JournalFilesTests
{
    private const string ManifestName = Name + ".manifest";

    private static readonly byte[] s_set = Command("SET", "key", "value");

    private SimulatedDisk _disk = null!;
    private SimulatedFolder _directory = null!;
    private SimulatedFolder _folder = null!;

    [SetUp]
    public void Make()
    {
        _disk = new SimulatedDisk(3);
        _directory = _disk.CreateFolder(".", exists: true);
        _folder = _disk.CreateFolder("aof", exists: true);
    }

    [Test]
    public void A_listed_file_that_is_missing_refuses_the_start()
    {
        _folder.Put(ManifestName, Bytes("file appendonly.aof.7.incr.aof seq 7 type i\n"));
        var error = Assert.Throws<JournalException>(() => NewFiles(_directory, _folder).Load())!;
        Assert.That(error.Message, Does.Contain("'aof/appendonly.aof.7.incr.aof' is listed in the manifest"));
    }

    [Test]
    public void Files_without_a_manifest_refuse_the_start()
    {
        _folder.Put("appendonly.aof.7.incr.aof", s_set);
        var error = Assert.Throws<JournalException>(() => NewFiles(_directory, _folder).Load())!;
        Assert.That(error.Message, Does.Contain("as 'appendonly.aof.7.incr.aof', and no manifest"));
    }

    [Test]
    public void Only_what_a_crash_left_behind_is_deleted()
    {
        _folder.Put(ManifestName, Bytes(
            "file appendonly.aof.2.base.aof seq 2 type b\nfile appendonly.aof.1.base.rdb seq 1 type h\n"
            + "file appendonly.aof.6.incr.aof seq 6 type h\nfile gone seq 1 type h\n"
            + "file appendonly.aof.7.incr.aof seq 7 type i\n"));
        string[] kept = [ManifestName, "appendonly.aof.2.base.aof", "appendonly.aof.7.incr.aof", "appendonly.aof",
            "appendonly.aof.7.incr.aof.bak", "appendonly.aof.x.incr.aof", "other.aof.1.incr.aof", "temp-other.base"];
        string[] left = ["appendonly.aof.1.base.rdb", "appendonly.aof.6.incr.aof", "appendonly.aof.8.incr.aof",
            "appendonly.aof.3.base.rdb", "temp-appendonly.aof.manifest", "temp-appendonly.aof.base",
            "temp-appendonly.aof.incr"];
        foreach (var name in kept.Skip(1).Concat(left))
        {
            _folder.Put(name, s_set);
        }

        var files = NewFiles(_directory, _folder);
        Assert.That(files.Load(), Is.False);
        AssertNone(files.CleanUp());
        Assert.That(_folder.Names, Is.EquivalentTo(kept));
        Assert.That(Encoding.Latin1.GetString(_folder[ManifestName]), Does.StartWith(
            "file appendonly.aof.2.base.aof seq 2 type b\nfile appendonly.aof.7.incr.aof seq 7 type i\n#"));
    }

    [Test]
    public void An_old_file_is_taken_over_whenever_the_power_goes()
    {
        for (var seed = 0; seed < 200; seed++)
        {
            var disk = new SimulatedDisk(seed);
            var directory = disk.CreateFolder(".", exists: true);
            var folder = disk.CreateFolder("aof", exists: false);
            directory.Put(Name, s_set);
            for (var changes = 0; ; changes++)
            {
                disk.LastChange = disk.Changes + changes;
                try
                {
                    _ = NewFiles(directory, folder).Load();
                    break;
                }
                catch (PowerCutException)
                {
                    disk.CutPower(directory, folder);
                }
            }

            disk.CutPower(directory, folder);
            var files = NewFiles(directory, folder);
            Assert.That(files.Load(), Is.False, "it was taken over for good");
            Assert.That(files.Manifest.Base!.Name, Is.EqualTo(Name));
            Assert.That(folder[Name], Is.EqualTo(s_set), $"seed {seed}");
        }
    }

    [Test]
    public void An_old_file_beside_a_journal_is_left_alone()
    {
        _directory.Put(Name, s_set);
        _folder.Put(ManifestName, Bytes("file appendonly.aof.7.incr.aof seq 7 type i\n"));
        _folder.Put("appendonly.aof.7.incr.aof", s_set);
        Assert.That(NewFiles(_directory, _folder).Load(), Is.False);
        Assert.That(_directory.Holds(Name));
    }

    [Test]
    public void What_fails_changes_nothing()
    {
        var files = NewFiles(_directory, _folder);
        _ = files.Load();
        AssertNone(files.BeginIncrement(0, out var writer));
        AppendBatch(writer!, s_set);
        var (failures, doubts) = (0, 0);
        for (var round = 0; round < 200; round++)
        {
            var before = files.Manifest;
            _disk.FailsOneOf = 4;
            var error = files.CreateBase(JournalBaseKind.Rdb, out var file);
            error = error.IsError ? error : files.EndRewrite(file!, files.Manifest.IncrementSequence);
            _disk.FailsOneOf = 0;
            Assert.That(error.IsError, Is.EqualTo(files.Manifest == before), "all or nothing");
            failures += error.IsError ? 1 : 0;
            doubts += files.IsInDoubt ? 1 : 0;
            AssertNone(files.Settle());
            Assert.That(files.IsInDoubt, Is.False);
            var listed = ManifestText.Read(_folder[ManifestName], "");
            Assert.That(listed.Live, Is.EqualTo(files.Manifest.Live));
        }

        Assert.That(failures, Is.InRange(20, 199));
        Assert.That(doubts, Is.GreaterThan(5));
    }

    [Test]
    public void A_rewrite_is_followed_by_the_increments_since_its_moment()
    {
        var files = NewFiles(_directory, _folder);
        _ = files.Load();
        AssertNone(files.BeginIncrement(0, out var writer));
        AppendBatch(writer!, s_set);
        writer = GoOnInNext(files, writer!);
        var first = writer!.Sequence;
        writer = GoOnInNext(files, writer!);
        AssertNone(files.CreateBase(JournalBaseKind.Rdb, out var file));
        AssertNone(files.EndRewrite(file!, first));
        AssertNone(files.DeleteHistory());
        Assert.That(Encoding.Latin1.GetString(_folder[ManifestName]), Does.StartWith(
            "file appendonly.aof.1.base.rdb seq 1 type b\n"
            + "file appendonly.aof.2.incr.aof seq 2 type i\nfile appendonly.aof.3.incr.aof seq 3 type i\n#"));
        Assert.That(_folder.Names, Does.Not.Contain("appendonly.aof.1.incr.aof"));
        AssertNone(files.Measure(out var total, out var baseBytes));
        Assert.That((total, baseBytes), Is.EqualTo((_folder[$"{Name}.2.incr.aof"].Length + writer!.SizeBytes, 0)));
    }

    [Test]
    public void An_increment_without_its_base_is_not_listed()
    {
        var files = NewFiles(_directory, _folder);
        _ = files.Load();
        AssertNone(files.BeginIncrement(0, out var lost));
        AppendBatch(lost!, s_set);
        AssertNone(files.CreateIncrement(lost!.Offset, null, out var writer));
        AppendBatch(writer!, s_set);
        AssertNone(writer!.Sync());
        Assert.That(ManifestText.Read(_folder[ManifestName], "").IncrementSequence, Is.EqualTo(1));
        AssertNone(files.CreateBase(JournalBaseKind.Rdb, out var file));
        AssertNone(files.EndRewrite(file!, writer.Sequence));
        AssertNone(files.DeleteHistory());
        Assert.That(ManifestText.Read(_folder[ManifestName], "").Live.Select(part => part.Name),
            Is.EqualTo(new[] { $"{Name}.1.base.rdb", $"{Name}.2.incr.aof" }));
        Assert.That(_folder.Names, Does.Not.Contain($"{Name}.1.incr.aof"));
    }
}
