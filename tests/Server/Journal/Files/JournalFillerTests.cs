using NUnit.Framework;
using Strata.Server.Journal.Files;
using static Strata.Tests.Server.Journal.Files.JournalKit;

namespace Strata.Tests.Server.Journal.Files;

/// <summary>A file that is made longer ahead of what is written to it.</summary>
[TestFixture]
internal sealed class JournalFillerTests
{
    private const int FillerBytes = 40_000;

    // What Redis reads of a line at most.
    private const int RedisLineBytes = 127;

    private static readonly byte[] s_first = Command("SET", "key", "first");
    private static readonly byte[] s_second = Command("SET", "key", "second");

    [Test]
    public void Batches_take_its_place_and_it_is_no_part_of_the_file([Range(0, 2 * JournalFiller.LineBytes)] int bytes)
    {
        var command = Command("SET", "key", new string('v', bytes));
        var whole = 0L;
        var file = Write(writer =>
        {
            writer.FillAheadBytes = FillerBytes;
            AppendBatch(writer, s_first);
            AppendBatch(writer, command);
            whole = writer.SizeBytes;
        });
        Assert.That(Read(file, Last, out var end), Is.EqualTo(Joined(s_first, command)));
        Assert.That((end.SizeBytes, end.CutBytes, end.FillerBytes), Is.EqualTo((whole, 0, file.Length - whole)));
        Assert.That(end.CanResume);
        Assert.That(end.FillerBytes, Is.GreaterThan(FillerBytes / 2));
        var lines = file.AsSpan((int)whole).ToArray();
        for (var start = 0; start < lines.Length; start = Array.IndexOf(lines, (byte)'\n', start) + 1)
        {
            Assert.That(lines[start], Is.EqualTo((byte)'#'), "Redis skips each line, wherever it begins");
            Assert.That(Array.IndexOf(lines, (byte)'\n', start) - start, Is.InRange(1, RedisLineBytes - 1));
        }
    }

    [Test]
    public void A_file_keeps_its_length_while_batches_take_the_place_of_filler()
    {
        var folder = NewFolder();
        AssertNone(folder.Open(Name, FileUse.Create, out var file));
        using var writer = CreateWriter(file!);
        writer.FillAheadBytes = FillerBytes;
        var lengths = new HashSet<int>();
        var commands = new List<byte[]>();
        while (writer.SizeBytes < 3 * FillerBytes)
        {
            commands.Add(Command("SET", "key", new string('v', commands.Count % 9000)));
            AppendBatch(writer, commands[^1]);
            Assert.That(folder[Name].Length - writer.SizeBytes, Is.GreaterThanOrEqualTo(JournalFiller.LineBytes));
            lengths.Add(folder[Name].Length);
        }

        Assert.That(lengths, Has.Count.InRange(3, 5));
        Assert.That(Read(folder[Name], Last, out _), Is.EqualTo(Joined([.. commands])));
        AssertNone(writer.Finish());
        Assert.That(folder[Name], Has.Length.EqualTo(writer.SizeBytes));
        AppendBatch(writer, s_second);
        Assert.That(Read(folder[Name], Last, out _), Is.EqualTo(Joined([.. commands, s_second])));
    }

    [Test]
    public void A_batch_that_was_torn_within_it_is_cut()
    {
        var whole = 0L;
        var torn = 0L;
        var file = Write(writer =>
        {
            writer.FillAheadBytes = FillerBytes;
            AppendBatch(writer, s_first);
            whole = writer.SizeBytes;
            AppendBatch(writer, s_second);
            torn = writer.SizeBytes;
        });
        for (var at = whole + 1; at < torn; at++)
        {
            var content = file.AsSpan().ToArray();
            for (var i = at; i < torn; i++)
            {
                content[i] = JournalFiller.At(i);
            }

            Assert.That(Read(content, Last, out var end), Is.EqualTo(s_first), $"torn at {at}");
            Assert.That(end.SizeBytes, Is.EqualTo(whole), $"torn at {at}");
        }
    }

    [Test]
    public void What_another_server_has_appended_behind_it_is_read([Range(0, JournalFiller.LineBytes)] int bytes)
    {
        var command = Command("SET", "key", new string('v', bytes));
        var ours = Write(writer =>
        {
            writer.FillAheadBytes = FillerBytes;
            AppendBatch(writer, command);
        });
        var file = Joined(ours, Command("SELECT", "0"), s_second);
        Assert.That(Read(file, Last, out var end), Is.EqualTo(Joined(command, Command("SELECT", "0"), s_second)));
        Assert.That((end.SizeBytes, end.FillerBytes, end.CanResume), Is.EqualTo((file.Length, 0, false)));
    }

    [Test]
    public void Where_the_disk_has_no_room_for_it_it_is_done_without()
    {
        var disk = new SimulatedDisk(5);
        var folder = disk.CreateFolder("aof", exists: true);
        AssertNone(folder.Open(Name, FileUse.Create, out var file));
        using var writer = CreateWriter(file!);
        writer.FillAheadBytes = FillerBytes;
        disk.SpaceLeft = FillerBytes / 2;
        AppendBatch(writer, s_first);
        AppendBatch(writer, s_second);
        Assert.That(folder[Name], Has.Length.EqualTo(writer.SizeBytes));
        Assert.That(Read(folder[Name], Last, out var end), Is.EqualTo(Joined(s_first, s_second)));
        Assert.That(end.FillerBytes, Is.Zero);
    }
}
