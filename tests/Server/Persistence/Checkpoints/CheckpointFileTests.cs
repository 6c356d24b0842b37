using NUnit.Framework;
using Strata.Server.Persistence.Checkpoints;
using Strata.Server.Rdb;
using Strata.Storage;
using Strata.Storage.Log;
using Strata.Storage.Memory;
using Strata.Tests.Server.Options;

namespace Strata.Tests.Server.Persistence.Checkpoints;

/// <summary>Checkpoints as bytes: whatever of one is not as it was written is found out.</summary>
internal sealed class CheckpointFileTests
{
    private const ulong Salt = 0x1234_5678_9ABC_DEF0;

    private static readonly KeptPage s_page = new(
        Page: 7, Database: 3, IsJumbo: true, HeadChecksum: 0xDEADBEEF, Generation: (5L << 32) + 1, Offset: 1 << 20,
        UsedBytes: 5000, LiveBytes: 4000, ExpiringRecords: 1, EarliestExpiryMs: 1_700_000_000_000);

    private TemporaryDirectory _folder = null!;

    [SetUp]
    public void MakeFolder() => _folder = new TemporaryDirectory();

    [TearDown]
    public void RemoveFolder() => _folder.Dispose();

    [Test]
    public void A_page_is_read_as_it_was_written()
    {
        using var output = new RdbOutput(new MemoryBudget());
        CheckpointFormat.Write(output, s_page);
        Assert.That(output.Length, Is.EqualTo(CheckpointFormat.PageBytes));
        Assert.That(CheckpointFormat.ReadPage(output.Written), Is.EqualTo(s_page));
    }

    [Test]
    public void A_count_is_read_as_it_was_written()
    {
        var count = new CheckpointCount(13, 15, 1L << 40, 1L << 39, -5);
        var row = new byte[CheckpointFormat.CountBytes];
        count.Write(row);
        Assert.That(CheckpointCount.Read(row), Is.EqualTo(count));
    }

    [Test]
    public void A_whole_file_is_whole()
    {
        var found = CheckpointSurvey.Of(Write(Whole()));
        Assert.That((found.Problem, found.Entries, found.Pages, found.Keys), Is.EqualTo((null as string, 2L, 1L, 0L)));
    }

    [Test]
    public void Each_flipped_bit_is_found()
    {
        var whole = Whole();
        for (var i = 0; i < whole.Length; i++)
        {
            var flipped = (byte[])whole.Clone();
            flipped[i] ^= (byte)(1 << (i % 8));
            Assert.That(CheckpointSurvey.Of(Write(flipped)).Problem, Does.Contain("at byte"), $"byte {i}");
        }
    }

    [Test]
    public void Each_shorter_file_is_found_and_a_longer_one()
    {
        var whole = Whole();
        for (var length = 0; length < whole.Length; length++)
        {
            Assert.That(CheckpointSurvey.Of(Write(whole[..length])).Problem, Does.Contain("at byte"), $"{length}");
        }

        Assert.That(CheckpointSurvey.Of(Write([.. whole, 0])).Problem, Does.Contain("at byte"));
    }

    /// <summary>Lies under a checksum that is right.</summary>
    [TestCase(CheckpointPart.Pages, 0, CheckpointFormat.PageBytes - 1)]
    [TestCase(CheckpointPart.Entries, 0, CheckpointFormat.EntryBytes + 1)]
    [TestCase(CheckpointPart.Counts, 0, 1)]
    [TestCase(CheckpointPart.Counts, 0, CheckpointFormat.CountBytes, true)]
    [TestCase(CheckpointPart.Pages, 4, CheckpointFormat.PageBytes)]
    [TestCase(CheckpointPart.Pages, -1, CheckpointFormat.PageBytes)]
    [TestCase(CheckpointPart.Header, 0, CheckpointHeader.Bytes)]
    [TestCase(CheckpointPart.End, 0, CheckpointFormat.EndBytes)]
    [TestCase((CheckpointPart)0, 0, 8)]
    [TestCase((CheckpointPart)7, 0, 8)]
    public void A_lie_is_found(CheckpointPart kind, int shard, int bytes, bool isFilled = false)
    {
        var part = new byte[bytes];
        if (isFilled)
        {
            Array.Fill(part, (byte)0xFF);
        }

        var file = Make(writer => writer.Part(kind, shard, part));
        Assert.That(CheckpointSurvey.Of(Write(file)).Problem, Does.Contain("at byte"));
    }

    [Test]
    public void A_part_in_the_place_of_another_is_found()
    {
        var one = Make(static writer => writer.Part(CheckpointPart.Entries, 1, Entries(1)));
        var start = one.AsSpan().IndexOf(Entries(1)) - CheckpointFormat.FrameBytes;
        var length = CheckpointFormat.FrameBytes + CheckpointFormat.EntryBytes;
        byte[] twice = [.. one[..(start + length)], .. one[start..]];
        Assert.That(CheckpointSurvey.Of(Write(twice)).Problem, Does.Contain("at byte"));
    }

    private static byte[] Entries(int count)
    {
        using var output = new RdbOutput(new MemoryBudget());
        for (var i = 0; i < count; i++)
        {
            CheckpointFormat.Write(output, 0x0123_4567_89AB_CDEFUL + (ulong)i, (byte)(i + 5));
        }

        return output.Written.ToArray();
    }

    private static byte[] Whole() => Make(static writer =>
    {
        using var output = new RdbOutput(new MemoryBudget());
        CheckpointFormat.Write(output, s_page);
        writer.Part(CheckpointPart.Pages, 1, output.Written);
        writer.Part(CheckpointPart.Entries, 1, Entries(2));
    });

    /// <summary>A file with an RDB of no keys behind some parts.</summary>
    private static byte[] Make(Action<CheckpointWriter> write)
    {
        var sink = new Sink();
        var writer = new CheckpointWriter(sink, Salt);
        var numbers = Enumerable.Range(0, Limits.MaxDatabases).Select(static number => (byte)number).ToArray();
        writer.Begin(new CheckpointHeader(4, 26, 1_700_000_000_000, Salt, [1, 2, 3], numbers));
        write(writer);
        using var rdb = new RdbFileWriter(new Rdb(writer), new MemoryBudget(), withChecksum: true);
        rdb.Begin(RdbFormat.NewestVersion);
        _ = rdb.End(RdbFormat.NewestVersion);
        writer.End();
        return [.. sink.Bytes];
    }

    private string Write(byte[] bytes)
    {
        var path = Path.Combine(_folder.Path, "checkpoint");
        File.WriteAllBytes(path, bytes);
        return path;
    }

    private sealed class Sink : IRdbSink
    {
        public List<byte> Bytes { get; } = [];

        public void Write(ReadOnlySpan<byte> bytes) => Bytes.AddRange(bytes);
    }

    private sealed class Rdb(CheckpointWriter writer) : IRdbSink
    {
        public void Write(ReadOnlySpan<byte> bytes) => writer.Part(CheckpointPart.Rdb, 0, bytes);
    }
}
