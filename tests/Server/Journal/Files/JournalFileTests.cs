using NUnit.Framework;
using Strata.Server;
using Strata.Server.Journal.Files;
using static Strata.Tests.Server.Journal.Files.JournalKit;

namespace Strata.Tests.Server.Journal.Files;

/// <summary>What a file of the journal gives out again.</summary>
[TestFixture]
internal sealed unsafe class JournalFileTests
{
    private static readonly byte[] s_select = Command("SELECT", "0");
    private static readonly byte[] s_first = Command("SET", "key", "first");
    private static readonly byte[] s_second = Command("SET", "key", "second");
    private static readonly byte[] s_third = Command("APPEND", "key", "third");

    // Is written before its batch is ended.
    private static readonly byte[] s_large = Command(
        "SET", "large", new string('v', ServerLimits.JournalGatheredBytes));

    // Nobody can know the salt: what a client sends looks like lines of another file.
    private static readonly byte[] s_lookalike = Command(
        "SET",
        "x\r\n#STRATA batch 00000000000000ff\r\n",
        "\r\n#STRATA crc32c 00000000 offset 1 bytes 9 synced 99999999\r\n#STRATA #STRATA \n#STRATA crc32c 0");

    [Test]
    public void Batches_are_given_out_in_their_order()
    {
        var file = Write(writer =>
        {
            AppendBatch(writer, s_select, s_first);
            AppendBatch(writer, s_lookalike, s_second);
            AssertNone(writer.Finish());
        }, offset: 700);
        var commands = Joined(s_select, s_first, s_lookalike, s_second);
        Assert.That(Read(file, Last, out var end), Is.EqualTo(commands));
        Assert.That(end, Is.EqualTo(new JournalEnd(
            file.Length, 0, 700 + commands.Length, true, 0x0123456789abcdef)));
    }

    [Test]
    public void What_was_not_ended_is_cut()
    {
        var whole = 0L;
        var file = Write(writer =>
        {
            AppendBatch(writer, s_first);
            whole = writer.SizeBytes;
            Append(writer, s_second, s_large);
        });
        Assert.That(Read(file, Last, out var end), Is.EqualTo(s_first));
        Assert.That((end.SizeBytes, end.CutBytes), Is.EqualTo((whole, file.Length - whole)));
        Assert.That(end.CutBytes, Is.Positive);
        Assert.That(end.CanResume);
    }

    [Test]
    public void More_follows_after_a_restart()
    {
        var folder = NewFolder();
        AssertNone(folder.Open(Name, FileUse.Create, out var file));
        var writer = CreateWriter(file!);
        AppendBatch(writer, s_first);
        Append(writer, s_second);
        var end = ReadTo(new MemoryStream(), file!, Last);
        AssertNone(JournalFileWriter.Resume(file!, 1, end, out writer!));
        Assert.That(writer.Offset, Is.EqualTo(s_first.Length));
        AppendBatch(writer, s_third);
        AssertNone(writer.Finish());
        AppendBatch(writer, s_second);
        Assert.That(Read(folder[Name], Last, out _), Is.EqualTo(Joined(s_first, s_third, s_second)));
    }

    [Test]
    public void A_batch_may_be_larger_than_the_buffer([Values(4000, 4096, 5000, 100_000)] int bytes)
    {
        var large = Command("SET", "large", new string('v', bytes));
        var file = Write(writer => AppendBatch(writer, s_first, large, s_second));
        Assert.That(Read(file, Last, out _), Is.EqualTo(Joined(s_first, large, s_second)));
        file[^200] ^= 1;
        Assert.That(Read(file, Last, out var end), Is.Empty);
        Assert.That(end.CutBytes, Is.Positive);
    }

    [Test]
    public void The_time_is_no_command()
    {
        var file = Write(writer =>
        {
            AssertNone(writer.Stamp(1795563059));
            AppendBatch(writer, s_first);
            AppendBatch(writer, s_second);
            AssertNone(writer.Stamp(1795563060));
            AppendBatch(writer, s_third);
        });
        Assert.That(Read(file, Last, out var end), Is.EqualTo(Joined(s_first, s_second, s_third)));
        Assert.That(end.Offset, Is.EqualTo(s_first.Length + s_second.Length + s_third.Length));
    }

    [Test]
    public void A_write_that_fails_goes_on_where_it_ended()
    {
        const string NoSpace = "cannot write 'aof/appendonly.aof': No space left on device";
        var disk = new SimulatedDisk(5);
        var folder = disk.CreateFolder("aof", exists: true);
        AssertNone(folder.Open(Name, FileUse.Create, out var file));
        var writer = CreateWriter(file!);
        var commands = Joined(s_select, s_first, s_lookalike, s_second, s_third);
        var refusals = 0;
        for (var round = 0; round < 50; round++)
        {
            disk.SpaceLeft = 0;
            for (var given = 0L; given < commands.Length;)
            {
                fixed (byte* bytes = commands)
                {
                    var error = writer.Write(bytes + given, commands.Length - given, out var written);
                    given += written;
                    Assert.That(error.IsError, Is.EqualTo(given < commands.Length));
                    refusals += error.IsError ? 1 : 0;
                    Assert.That(error.IsError ? error.Text : NoSpace, Is.EqualTo(NoSpace));
                }

                disk.SpaceLeft = 1 + (round % 13);
            }

            for (var error = writer.EndBatch(); error.IsError; error = writer.EndBatch())
            {
                refusals++;
                disk.SpaceLeft = 1 + (round % 7);
            }
        }

        Assert.That(refusals, Is.GreaterThan(500));
        disk.SpaceLeft = long.MaxValue;
        AssertNone(writer.Finish());
        var all = Joined([.. Enumerable.Repeat(commands, 50)]);
        Assert.That(Read(folder[Name], Last, out var end), Is.EqualTo(all));
        Assert.That(end.CutBytes, Is.Zero);
    }

    [Test]
    public void After_a_failed_sync_nothing_is_written_any_more()
    {
        var disk = new SimulatedDisk(5);
        AssertNone(disk.CreateFolder("aof", exists: true).Open(Name, FileUse.Create, out var file));
        var writer = CreateWriter(file!);
        AppendBatch(writer, s_first);
        AssertNone(writer.Sync());
        Assert.That(writer.SyncedOffset, Is.EqualTo(s_first.Length));
        AppendBatch(writer, s_second);
        disk.FailsOneOf = 1;
        Assert.That(writer.Sync().Text, Is.EqualTo("cannot sync 'aof/appendonly.aof': Input/output error"));
        disk.FailsOneOf = 0;
        Assert.That(writer.IsLost);
        Assert.That(writer.SyncedOffset, Is.EqualTo(s_first.Length));
        fixed (byte* bytes = s_third)
        {
            Assert.That(writer.Write(bytes, 1, out _).Errno, Is.EqualTo(SimulatedDisk.InputOutput));
        }

        Assert.That(writer.EndBatch().IsError && writer.Sync().IsError && writer.Finish().IsError);
    }

    [Test]
    public void A_base_has_its_end()
    {
        var options = Last with { IsBase = true, MayEndTorn = false };
        var length = 0L;
        var file = Write(writer =>
        {
            AppendBatch(writer, s_first);
            length = writer.SizeBytes;
            AssertNone(writer.Finish());
        });
        Assert.That(Read(file, options, out var end), Is.EqualTo(s_first));
        Assert.That(end.CanResume, Is.False);
        AssertRefused(file[..(int)length], options, length, "before its end was written");
        AssertRefused(file[..(int)(length - 1)], options, length: -1, "by its checksum");
    }

    [Test]
    public void A_file_goes_on_where_the_one_before_has_ended()
    {
        var file = Write(writer => AppendBatch(writer, s_first), offset: 500);
        Assert.That(Read(file, Last with { ExpectedOffset = 500 }, out _), Is.EqualTo(s_first));
        AssertRefused(file, Last with { ExpectedOffset = 499 }, 0, "a part of one of them is missing");
    }

    [Test]
    public void The_journal_names_the_remedy()
    {
        var file = Write(writer =>
        {
            AppendBatch(writer, s_first);
            AssertNone(writer.Finish());
        });
        file[100] ^= 1;
        var error = Assert.Throws<JournalException>(() => Read(file, Last, out _))!;
        Assert.That(error.Message, Does.Contain("strata-server --check-aof 'aof/appendonly.aof' --fix"));
        Assert.That(error.File, Is.EqualTo("aof/appendonly.aof"));
        error = Assert.Throws<JournalException>(() => Read(file, Last with { MayEndTorn = false }, out _))!;
        Assert.That(error.Message, Does.Contain("Restore it from a backup"));
    }

    [Test]
    public void A_torn_end_can_refuse_the_start()
    {
        var file = Write(writer =>
        {
            AppendBatch(writer, s_first);
            Append(writer, s_large);
        });
        AssertRefused(file, Last with { LoadsTruncated = false }, -1, "aof-load-truncated");
        AssertRefused(file, Last with { MayEndTorn = false }, -1, "is damaged at offset");
    }

    [Test]
    public void What_another_server_appended_is_read_as_it_does()
    {
        var ours = Write(writer =>
        {
            AppendBatch(writer, s_first);
            AssertNone(writer.Finish());
        });
        var transaction = Joined(Command("MULTI"), s_second, Command("exec"));
        var stamp = Bytes("#TS:1795563059\r\n");
        var theirs = Joined(stamp, s_select, transaction, stamp, s_third);
        var commands = Joined(s_first, s_select, transaction, s_third);
        Assert.That(Read(Joined(ours, theirs), Last, out var end), Is.EqualTo(commands));
        Assert.That((end.CutBytes, end.CanResume, end.Offset), Is.EqualTo((0, false, commands.Length)));

        Assert.That(Read(Joined(ours, theirs, s_second[..^1]), Last, out end), Is.EqualTo(commands));
        Assert.That(end.CutBytes, Is.EqualTo(s_second.Length - 1));
        Assert.That(Read(Joined(ours, theirs), Last with { MayEndTorn = false }, out _), Is.EqualTo(commands));
        Assert.That(Read(Joined(ours, theirs, Command("MULTI"), s_second), Last, out end), Is.EqualTo(commands));
        Assert.That(end.SizeBytes, Is.EqualTo(ours.Length + theirs.Length));
    }

    [Test]
    public void What_another_server_appended_to_a_torn_batch_is_not_thrown_away()
    {
        var torn = Write(writer =>
        {
            AppendBatch(writer, s_first);
            Append(writer, s_large);
        });
        var value = Command("SET", "large", new string('v', ServerLimits.MaxJournalBatchBytes));
        Assert.That(Read(Joined(torn, value), Last, out var end), Is.EqualTo(s_first), "one batch may be so long");
        Assert.That(end.CutBytes, Is.GreaterThan(value.Length));
        AssertRefused(Joined(torn, value, s_select), Last, -1, "another server has appended to it");
    }

    private static void AssertRefused(byte[] file, JournalReadOptions options, long length, string problem)
    {
        var error = Assert.Throws<JournalException>(() => Read(file, options, out _))!;
        Assert.That(error.Message, Does.Contain(problem));
        if (length >= 0)
        {
            Assert.That(error.Offset, Is.EqualTo(length));
        }
    }
}
