using NUnit.Framework;
using Strata.Server.Journal.Files;

namespace Strata.Tests.Server.Journal.Files;

/// <summary>The lines that stand in the journal beside commands.</summary>
[TestFixture]
internal sealed class JournalLinesTests
{
    [TestCase(0, 0UL)]
    [TestCase(long.MaxValue, ulong.MaxValue)]
    [TestCase(123456789, 0x0123456789abcdefUL)]
    public void A_header_is_read_as_it_was_written(long offset, ulong salt)
    {
        var header = new JournalHeader(salt, offset);
        var line = new byte[JournalLines.MaxBytes];
        var length = JournalLines.WriteHeader(line, header);
        var isRead = JournalLines.TryReadHeader(line, out var read, out var readBytes);
        Assert.That((isRead, read, readBytes), Is.EqualTo((true, header, length)));
        Assert.That(length, Is.LessThan(JournalLines.MaxBytes));
    }

    [Test]
    public void A_header_with_any_byte_changed_is_none()
    {
        var line = new byte[JournalLines.MaxBytes];
        var length = JournalLines.WriteHeader(line, new JournalHeader(0x0123456789abcdef, 1234));
        for (var at = 0; at < length; at++)
        {
            for (var bit = 0; bit < 8; bit++)
            {
                line[at] ^= (byte)(1 << bit);
                Assert.That(JournalLines.TryReadHeader(line, out _, out _), Is.False, $"byte {at}, bit {bit}");
                line[at] ^= (byte)(1 << bit);
            }
        }
    }

    [TestCase(0U, 0, 0, 0)]
    [TestCase(uint.MaxValue, long.MaxValue, long.MaxValue, long.MaxValue)]
    [TestCase(0x00C0FFEEU, 1000, 200, 900)]
    public void A_seal_is_read_as_it_was_written(uint checksum, long offset, long bytes, long synced)
    {
        var seal = new JournalSeal(checksum, offset, bytes, synced);
        var line = new byte[JournalLines.MaxBytes];
        var length = JournalLines.WriteSeal(line, seal);
        var isRead = JournalLines.TryReadSeal(line, out var read, out var readBytes);
        Assert.That((isRead, read, readBytes), Is.EqualTo((true, seal, length)));
        Assert.That(length, Is.LessThan(JournalLines.MaxBytes));
    }

    [TestCase("#STRATA crc32c 0000000G offset 1 bytes 2 synced 0\r\n")]
    [TestCase("#STRATA crc32c 0000000A offset 1 bytes 2 synced 0\r\n")]
    [TestCase("#STRATA crc32c 00000001 offset 01 bytes 2 synced 0\r\n")]
    [TestCase("#STRATA crc32c 00000001 offset -1 bytes 2 synced 0\r\n")]
    [TestCase("#STRATA crc32c 00000001 offset 99999999999999999999 bytes 2 synced 0\r\n")]
    [TestCase("#STRATA crc32c 00000001 offset 1 bytes 2 synced 0\n")]
    [TestCase("#STRATA crc32c 00000001 offset 1 bytes 2 synced 0")]
    [TestCase("#STRATA crc32c 00000001 offset 1 bytes 2 synced ")]
    [TestCase("#STRATA crc32c 0")]
    [TestCase("")]
    public void A_line_in_another_form_is_no_seal(string text)
        => Assert.That(JournalLines.TryReadSeal(JournalKit.Bytes(text), out _, out _), Is.False);

    [Test]
    public void An_opening_is_that_of_one_file()
    {
        var line = new byte[JournalLines.MaxBytes];
        Assert.That(JournalLines.WriteOpening(line, 77), Is.EqualTo(JournalLines.OpeningBytes));
        Assert.That(JournalLines.IsOpening(line, 77));
        Assert.That(JournalLines.IsOpening(line, 78), Is.False);
        Assert.That(JournalLines.IsOpening(line.AsSpan(0, JournalLines.OpeningBytes - 1), 77), Is.False);
    }

    [Test]
    public void The_time_is_written_as_by_Redis()
    {
        var line = new byte[JournalLines.MaxBytes];
        var length = JournalLines.WriteStamp(line, 1795563059);
        Assert.That(line[..length], Is.EqualTo("#TS:1795563059\r\n"u8.ToArray()));
        Assert.That(JournalLines.TryReadStamp(line, out var read), Is.True);
        Assert.That(read, Is.EqualTo(length));
    }
}
