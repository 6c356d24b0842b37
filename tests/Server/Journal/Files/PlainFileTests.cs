using NUnit.Framework;
using Strata.Server.Journal.Files;
using static Strata.Tests.Server.Journal.Files.JournalKit;

namespace Strata.Tests.Server.Journal.Files;

/// <summary>Files without checksums, as Redis writes and reads them.</summary>
[TestFixture]
internal sealed class PlainFileTests
{
    private static readonly byte[] s_set = Command("SET", "key", "value");
    private static readonly byte[] s_multi = Command("MULTI");
    private static readonly byte[] s_exec = Command("EXEC");

    [Test]
    public void Commands_are_given_out([Values(0, 3000, 5000, 100_000)] int large)
    {
        var commands = Joined(s_set, Command("SET", "large", new string('v', large)), s_multi, s_set,
            Command("SET", "large", new string('w', large)), s_set, s_exec, s_set, Command("SET", "", ""));
        Assert.That(Read(commands, Last, out var end), Is.EqualTo(commands));
        Assert.That(end, Is.EqualTo(new JournalEnd(commands.Length, 0, commands.Length, false, 0)));
    }

    [Test]
    public void Lines_that_are_no_commands_are_left_out()
    {
        var file = Joined(
            Bytes("#TS:1\r\n# any\n"), s_set, Bytes("#TS:2\r\n"), s_multi, Bytes("#TS:3\r\n"), s_set, s_exec,
            Bytes("# the end\n"));
        Assert.That(Read(file, Last, out var end), Is.EqualTo(Joined(s_set, s_multi, s_set, s_exec)));
        Assert.That(end.SizeBytes, Is.EqualTo(file.Length));
    }

    [Test]
    public void A_torn_end_is_cut_to_the_last_whole_command()
    {
        var file = Joined(s_set, s_multi, s_set, s_exec, s_set);
        var ends = new[] { s_set.Length, file.Length - s_set.Length, file.Length };
        for (var length = 1; length < file.Length; length++)
        {
            var whole = ends.Where(end => end <= length).DefaultIfEmpty(0).Max();
            Assert.That(Read(file[..length], Last, out var end), Is.EqualTo(file[..whole]), $"{length} bytes");
            Assert.That((end.SizeBytes, end.CutBytes), Is.EqualTo((whole, length - whole)), $"{length} bytes");
        }
    }

    [Test]
    public void A_torn_end_of_a_file_that_is_not_the_last_refuses_the_start()
    {
        var file = Joined(s_set, s_multi, s_set);
        var error = Assert.Throws<JournalException>(() => Read(file, Last with { MayEndTorn = false }, out _))!;
        Assert.That(error.Offset, Is.EqualTo(s_set.Length));
        error = Assert.Throws<JournalException>(() => Read(file, Last with { LoadsTruncated = false }, out _))!;
        Assert.That(error.Offset, Is.EqualTo(s_set.Length));
    }

    [TestCase("SET a b\r\n")]
    [TestCase("*0\r\n")]
    [TestCase("*-1\r\n")]
    [TestCase("*1\r$4\r\nPING\r\n")]
    [TestCase("*1\r\n:4\r\n")]
    [TestCase("*1\r\n$-1\r\n")]
    [TestCase("*1\r\n$4x\r\n")]
    [TestCase("*1\r\n$4\r\nPINGPING")]
    [TestCase("*1\r\n$99999999999999999999999999\r\n")]
    [TestCase("*99999999999999999999999999")]
    [TestCase("\0\0\0")]
    [TestCase("*1\r\n$4\r\nEXEC\r\n")]
    [TestCase("*1\r\n$5\r\nMULTI\r\n*1\r\n$5\r\nmulti\r\n")]
    [TestCase("*1\r\n$5\r\nMULTI\r\nx")]
    public void What_is_no_command_refuses_the_start(string bad)
    {
        var given = new MemoryStream();
        var error = Assert.Throws<JournalException>(() => ReadTo(given, Joined(s_set, Bytes(bad)), Last))!;
        Assert.That(error.Offset, Is.EqualTo(s_set.Length));
        Assert.That(given.ToArray(), Is.EqualTo(s_set));
    }

    [Test]
    public void Commands_behind_an_RDB_are_read_from_where_it_ends()
    {
        var rdb = Bytes("REDIS0010 and what it holds");
        var options = Last with { StartAt = rdb.Length, IsBase = true };
        Assert.That(Read(Joined(rdb, s_set), options, out var end), Is.EqualTo(s_set));
        Assert.That(end.CanResume, Is.False);
        Assert.That(Read(rdb, options, out _), Is.Empty);
    }

    [Test]
    public void An_RDB_is_told_by_its_beginning()
    {
        Assert.That(IsRdb("REDIS0010"));
        Assert.That(IsRdb("VALKEY080"));
        Assert.That(IsRdb("REDI"), Is.False);
        Assert.That(IsRdb("*1\r\n$4\r\nPING\r\n"), Is.False);
        Assert.That(IsRdb(""), Is.False);
    }

    private static bool IsRdb(string content)
    {
        var folder = NewFolder();
        folder.Put(Name, Bytes(content));
        AssertNone(folder.Open(Name, FileUse.Read, out var file));
        return JournalFileReader.IsRdb(file!);
    }
}
