using System.Text;
using NUnit.Framework;
using Strata.Server.Journal.Files;

namespace Strata.Tests.Server.Journal.Files;

/// <summary>The manifest's text, by what Redis 7 writes and refuses.</summary>
[TestFixture]
internal sealed class ManifestTests
{
    // As redis-server 7.0.15 has written them.
    [TestCase("file appendonly.aof.1.base.rdb seq 1 type b\nfile appendonly.aof.1.incr.aof seq 1 type i\n")]
    [TestCase("file \"my file.aof.2.base.rdb\" seq 2 type b\nfile \"my file.aof.2.incr.aof\" seq 2 type i\n")]
    [TestCase("file a.2.base.aof seq 2 type b\nfile a.1.base.rdb seq 1 type h\nfile a.1.incr.aof seq 1 type h\n"
        + "file a.2.incr.aof seq 2 type i\nfile a.3.incr.aof seq 3 type i\n")]
    [TestCase("file \"\\xc3\\xa9.1.base.rdb\" seq 1 type b\n")]
    public void What_Redis_writes_is_written_again(string text)
        => Assert.That(
            Encoding.Latin1.GetString(ManifestText.Write(Read(text))),
            Does.StartWith(text + "#STRATA manifest crc32c "));

    [Test]
    public void Each_changed_byte_changes_nothing_or_is_found()
    {
        var whole = ManifestText.Write(Read("file a.2.base.checkpoint seq 2 type b\nfile a.1.base.aof seq 1 type h\n"
            + "file a.2.incr.aof seq 2 type i\nfile a.3.incr.aof seq 3 type i\n"));
        var meant = ManifestText.Read(whole, "aof/x.manifest").All.ToArray();
        for (var i = 0; i < whole.Length; i++)
        {
            for (var bits = 1; bits < 256; bits++)
            {
                var changed = (byte[])whole.Clone();
                changed[i] ^= (byte)bits;
                Assert.That(
                    ReadOrNull(changed) ?? meant, Is.EqualTo(meant), Encoding.Latin1.GetString(changed));
            }
        }
    }

    [TestCase("file x seq 1 type i\n#STRATA manifest crc32c 00000000\n")]
    [TestCase("#STRATA manifest crc32c 0000\nfile x seq 1 type i\n")]
    [TestCase("file x seq 1 type i\n#STRATA manifest crc32c ")]
    public void A_wrong_checksum_is_refused(string text)
    {
        var error = Assert.Throws<JournalException>(() => Read(text))!;
        Assert.That(error.Message, Does.Contain("'aof/x.manifest'").And.Contain("remove the line that begins with"));
    }

    [Test]
    public void Names_are_those_of_the_file_system()
        => Assert.That(Read("file \"\\xc3\\xa9 \\\"1\\\"\" seq 1 type b\n").Base!.Name, Is.EqualTo("é \"1\""));

    [Test]
    public void What_is_not_known_is_skipped()
    {
        var increments = Read(
            "# made by hand\nFILE x.7.incr.aof color blue SEQ 7 startoffset 12 TYPE incr endoffset 99\r\n").Increments;
        var expected = new ManifestPart("x.7.incr.aof", 7, ManifestPartKind.Increment);
        Assert.That(increments, Is.EqualTo(new[] { expected }));
    }

    [Test]
    public void One_that_lists_nothing_is_read_again()
        => Assert.That(Read(Encoding.Latin1.GetString(ManifestText.Write(Manifest.Empty))).IsEmpty);

    [TestCase("", "Found an empty AOF manifest")]
    [TestCase("\n", "Invalid AOF manifest file format")]
    [TestCase("file x seq 1\n", "Invalid AOF manifest file format")]
    [TestCase("file x seq 1 type b y\n", "Invalid AOF manifest file format")]
    [TestCase("file x seq 0 type b\n", "Invalid AOF manifest file format")]
    [TestCase("file x seq one type b\n", "Invalid AOF manifest file format")]
    [TestCase("file x seq -1 type i\n", "Invalid AOF manifest file format")]
    [TestCase("file \"x seq 1 type b\n", "Invalid AOF manifest file format")]
    [TestCase("file \"\" seq 1 type b\n", "Invalid AOF manifest file format")]
    [TestCase("name x seq 1 type b\n", "Invalid AOF manifest file format")]
    [TestCase("file d/x seq 1 type b\n", "File can't be a path, just a filename")]
    [TestCase("file .. seq 1 type x\n", "Unknown AOF file type")]
    [TestCase("file x seq 1 type b\nfile y seq 2 type b\n", "Found duplicate base file information")]
    [TestCase("file x seq 2 type i\nfile y seq 2 type i\n", "Found a non-monotonic sequence number")]
    [TestCase("file x seq 1 type b", "The AOF manifest file contains too long line")]
    [TestCase("file x.manifest seq 1 type i\n", "Found the manifest's own name")]
    [TestCase("file x seq 1 type b\nfile x seq 1 type i\n", "Found a file that is listed twice")]
    public void Others_are_refused_in_Redis_words(string text, string problem)
    {
        var error = Assert.Throws<JournalException>(() => Read(text))!;
        Assert.That(error.Message, Does.Contain(problem).And.Contain("'aof/x.manifest'"));
    }

    [Test]
    public void A_line_has_1024_bytes_at_most()
    {
        string LineOf(int bytes) => $"file x seq 1 type b k {new string('v', bytes - 23)}\n";
        Assert.That(Read(LineOf(1024)).Base, Is.Not.Null);
        var error = Assert.Throws<JournalException>(() => Read("# first\n" + LineOf(1025)))!;
        Assert.That(error.Message, Does.Contain("too long line").And.Contain("line 2"));
    }

    [Test]
    public void The_line_is_named()
    {
        var error = Assert.Throws<JournalException>(() => Read("file x seq 1 type b\nfile y seq 1 type z\n"))!;
        Assert.That(error.Message, Does.Contain("line 2 'file y seq 1 type z'"));
    }

    private static ManifestPart[]? ReadOrNull(byte[] text)
    {
        try
        {
            return [.. ManifestText.Read(text, "aof/x.manifest").All];
        }
        catch (JournalException)
        {
            return null;
        }
    }

    private static Manifest Read(string text) => ManifestText.Read(JournalKit.Bytes(text), "aof/x.manifest");
}
