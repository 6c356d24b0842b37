using System.Text;
using NUnit.Framework;
using Strata.Server.Rdb;

namespace Strata.Tests.Server.Rdb;

/// <summary>Strings in every form that Redis writes them in; cut off anywhere, or changed, they are refused and never
/// read past.</summary>
[TestFixture]
internal sealed class RdbReaderTests
{
    private static readonly (string Bytes, string Text)[] s_strings =
    [
        ("\x00", ""),
        ("\x03" + "abc", "abc"),
        ("\x40\x05" + "hello", "hello"),
        ("\x80\0\0\0\x02" + "ab", "ab"),
        ("\x81\0\0\0\0\0\0\0\x02" + "ab", "ab"),
        ("\xc0\x7f", "127"),
        ("\xc0\x80", "-128"),
        ("\xc1\x39\x30", "12345"),
        ("\xc2\0\0\0\x80", "-2147483648"),
        ("\xc3\x04\x08\x00" + "a\xa0\x00", "aaaaaaaa"), // A literal, then 7 bytes from 1 before.
        ("\xc3\x0a\x0f\x03" + "abcd\xe0\x01\x03\x00" + "x", "abcdabcdabcdabx"), // 10 bytes from 4 before.
    ];

    [TestCaseSource(nameof(s_strings))]
    public void Every_form_is_read((string Bytes, string Text) one)
    {
        var reader = new RdbReader(Encoding.Latin1.GetBytes(one.Bytes));
        Assert.That(reader.TryReadString(100, out var value), Is.True);
        Assert.That(Encoding.Latin1.GetString(value!), Is.EqualTo(one.Text));
        Assert.That(reader.IsAtEnd, Is.True);
    }

    [TestCaseSource(nameof(s_strings))]
    public void What_is_cut_off_is_refused((string Bytes, string Text) one)
    {
        var bytes = Encoding.Latin1.GetBytes(one.Bytes);
        for (var i = 0; i < bytes.Length; i++)
        {
            var reader = new RdbReader(bytes.AsSpan(0, i));
            Assert.That(reader.TryReadString(100, out _), Is.False, $"cut at {i}");
        }
    }

    [TestCase("\x0b" + "hello world")]
    [TestCase("\x81\x80\0\0\0\0\0\0\x02" + "ab")]
    [TestCase("\x82\0\0\0\x02" + "ab")]
    [TestCase("\xc4\x01\x01" + "a")]
    [TestCase("\xc3\xc0\x01\x01\x00" + "a")]
    [TestCase("\xc3\x02\x02\x00" + "a")] // One byte where there should be two.
    [TestCase("\xc3\x02\x00\x00" + "a")] // The other way round.
    [TestCase("\xc3\x02\x03\x20\x00")] // Before the beginning.
    [TestCase("\xc3\x02\x80\x7f\xff\xff\xff\x00" + "a")] // More than so few bytes can become.
    public void What_is_wrong_or_too_long_is_refused(string text)
    {
        var reader = new RdbReader(Encoding.Latin1.GetBytes(text));
        Assert.That(reader.TryReadString(10, out _), Is.False);
    }

    [Test]
    public void Random_bytes_do_no_harm()
    {
        var random = new Random(9);
        var read = 0;
        for (var i = 0; i < 100_000; i++)
        {
            var bytes = new byte[random.Next(1, 40)];
            random.NextBytes(bytes);
            bytes[0] = (byte)(random.Next(2) == 0 ? 0xc3 : bytes[0]);
            var reader = new RdbReader(bytes);
            read += reader.TryReadString(1000, out _) ? 1 : 0;
        }

        Assert.That(read, Is.GreaterThan(0));
    }
}
