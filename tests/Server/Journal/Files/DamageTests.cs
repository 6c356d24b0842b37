using NUnit.Framework;
using Strata.Server.Journal.Files;
using static Strata.Tests.Server.Journal.Files.JournalKit;

namespace Strata.Tests.Server.Journal.Files;

/// <summary>Whatever is changed in a file of ours, nothing is given out that was not written, and nothing is left out
/// that was on the disk for sure.</summary>
[TestFixture]
internal sealed class DamageTests
{
    private static readonly byte[][] s_batches =
    [
        Joined(Command("SELECT", "0"), Command("SET", "a", "one")),
        Joined(Command("MULTI"), Command("SET", "b", "two"), Command("DEL", "a"), Command("EXEC")),
        Command("RPUSH", "c", "1", "2", "3"),
        Command("SET", "d", "four"),
    ];

    [Test]
    public void A_changed_byte_is_found_in_a_file_that_was_ended()
    {
        // The mark at the end says that all before it was on the disk: only in the mark itself it can be cut.
        var file = WriteFile(isSynced: true, isFinished: true);
        ChangeEachByte(file, (changed, at) =>
        {
            var (given, error) = TryRead(changed);
            AssertIsPrefix(given, at);
            if (error is null)
            {
                Assert.That(given, Is.EqualTo(Joined(s_batches)), $"byte {at} changed");
            }
        });
    }

    [Test]
    public void A_changed_byte_is_found_before_the_last_batch_when_all_are_synced()
    {
        var file = WriteFile(isSynced: true, isFinished: false);
        var last = LastBatchStart(file);
        ChangeEachByte(file, (changed, at) =>
        {
            var (given, error) = TryRead(changed);
            AssertIsPrefix(given, at);
            Assert.That(error is not null, Is.EqualTo(at < last), $"byte {at} changed");
            Assert.That(error?.Offset ?? 0, Is.LessThanOrEqualTo(at));
        });
    }

    [Test]
    public void A_changed_byte_ends_what_was_never_synced()
    {
        var file = WriteFile(isSynced: false, isFinished: false);
        ChangeEachByte(file, (changed, at) => AssertIsPrefix(TryRead(changed).Given, at));
    }

    [Test]
    public void A_file_that_another_follows_is_whole()
    {
        var file = WriteFile(isSynced: false, isFinished: true);
        ChangeEachByte(file, (changed, at) =>
        {
            var (given, error) = TryRead(changed, Last with { MayEndTorn = false });
            AssertIsPrefix(given, at);
            Assert.That(error, Is.Not.Null, $"byte {at} changed");
        });
    }

    [Test]
    public void A_file_cut_anywhere_gives_out_whole_batches()
    {
        var file = WriteFile(isSynced: true, isFinished: true);
        for (var length = 0; length < file.Length; length++)
        {
            var (given, error) = TryRead(file[..length]);
            AssertIsPrefix(given, length);
            if (error is not null)
            {
                Assert.That(error.Offset, Is.Zero, "only without its first line it is refused");
            }
        }
    }

    [Test]
    public void A_batch_that_is_missing_is_found()
    {
        var starts = new List<int>();
        var file = Write(writer =>
        {
            foreach (var batch in s_batches)
            {
                starts.Add((int)writer.SizeBytes);
                AppendBatch(writer, batch);
                AssertNone(writer.Sync());
            }
        });
        var without = Joined(file[..starts[1]], file[starts[2]..]);
        var twice = Joined(file[..starts[2]], file[starts[1]..]);
        Assert.That(TryRead(without).Given, Is.EqualTo(s_batches[0]));
        Assert.That(TryRead(without).Error, Is.Not.Null);
        Assert.That(TryRead(twice).Given, Is.EqualTo(Joined(s_batches[..2])));
        Assert.That(TryRead(twice).Error, Is.Not.Null);
    }

    [Test]
    public void A_piece_of_another_file_does_not_pass()
    {
        var file = WriteFile(isSynced: true, isFinished: false);
        var other = NewFolder();
        AssertNone(other.Open(Name, FileUse.Create, out var target));
        using (var writer = CreateWriter(target!, salt: 99))
        {
            foreach (var batch in s_batches)
            {
                AppendBatch(writer, batch);
            }
        }

        var content = other[Name];
        Assert.That(content, Has.Length.GreaterThan(0));
        var last = LastBatchStart(file);
        Assert.That(TryRead(Joined(file[..last], content[last..])).Given, Is.EqualTo(Joined(s_batches[..^1])));
    }

    [Test]
    public void A_lost_stretch_that_was_never_synced_is_an_end([Values(1, 2, 3)] int lost)
    {
        // The disk has written the later ones first.
        var file = WriteFile(isSynced: false, isFinished: false);
        var start = 0;
        for (var i = 0; i <= lost; i++)
        {
            start = file.AsSpan(start + 1).IndexOf("#STRATA batch"u8) + start + 1;
        }

        file.AsSpan(start, 60).Clear();
        var (given, error) = TryRead(file);
        Assert.That(error, Is.Null);
        Assert.That(given, Is.EqualTo(Joined(s_batches[..lost])));
    }

    private static byte[] WriteFile(bool isSynced, bool isFinished)
        => Write(writer =>
        {
            foreach (var batch in s_batches)
            {
                AppendBatch(writer, batch);
                if (isSynced)
                {
                    AssertNone(writer.Sync());
                }
            }

            if (isFinished)
            {
                AssertNone(writer.Finish());
            }
        });

    private static int LastBatchStart(byte[] file) => file.AsSpan().LastIndexOf("#STRATA batch"u8);

    private static void ChangeEachByte(byte[] file, Action<byte[], int> check)
    {
        for (var at = 0; at < file.Length; at++)
        {
            foreach (var change in new byte[] { 1, 32, 255 })
            {
                file[at] ^= change;
                check(file, at);
                file[at] ^= change;
            }
        }
    }

    private static (byte[] Given, JournalException? Error) TryRead(byte[] file, JournalReadOptions? options = null)
    {
        var given = new MemoryStream();
        try
        {
            _ = ReadTo(given, file, options ?? Last);
            return (given.ToArray(), null);
        }
        catch (JournalException error)
        {
            return (given.ToArray(), error);
        }
    }

    /// <summary>Whole batches, as many as lie before the change.</summary>
    private static void AssertIsPrefix(byte[] given, int changedAt)
    {
        for (var count = 0; count <= s_batches.Length; count++)
        {
            if (given.AsSpan().SequenceEqual(Joined(s_batches[..count])))
            {
                return;
            }
        }

        Assert.Fail($"with byte {changedAt} changed something is given out that is no batch");
    }
}
