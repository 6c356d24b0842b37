using System.Text;
using NUnit.Framework;
using Strata.Server.Resp;

namespace Strata.Tests.Server.Resp;

/// <summary>Doubles as Redis 7.2 reads and writes them.</summary>
[TestFixture]
internal sealed class DoubleTests
{
    [TestCase(0.0, "0")]
    [TestCase(-0.0, "-0")]
    [TestCase(0.1, "0.1")]
    [TestCase(-2.75, "-2.75")]
    [TestCase(3, "3")]
    [TestCase(1e17, "100000000000000000")]
    [TestCase(4e18, "4000000000000000000")]
    [TestCase(1e19, "1e+19")]
    [TestCase(1.5e300, "1.5e+300")]
    [TestCase(1234567890123456789012.0, "1234567890123456800000")]
    [TestCase(0.000012, "0.000012")]
    [TestCase(1e-6, "0.000001")]
    [TestCase(1e-7, "1e-7")]
    [TestCase(1.5e-10, "1.5e-10")]
    [TestCase(-5e-324, "-5e-324")]
    [TestCase(123456789.123456789, "1.2345678912345679e+8")]
    [TestCase(1234.56789012345678, "1234.567890123457")]
    [TestCase(double.MaxValue, "1.7976931348623157e+308")]
    [TestCase(double.PositiveInfinity, "inf")]
    [TestCase(double.NegativeInfinity, "-inf")]
    public void Writes_a_double(double value, string text)
    {
        Span<byte> buffer = stackalloc byte[DoubleFormat.MaxBytes];
        Assert.That(Encoding.ASCII.GetString(buffer[..DoubleFormat.Format(value, buffer)]), Is.EqualTo(text));
    }

    [TestCase("ZEROS12.5", 12.5)]
    [TestCase("12.5ZEROS", 12.5)]
    [TestCase("-0.1ZEROSe3", -100)]
    [TestCase("1ZEROSe-3000", 1)]
    [TestCase("0.ZEROS25e3001", 2.5)]
    [TestCase("ZEROS", 0)]
    [TestCase("-ZEROS.ZEROS", 0)]
    [TestCase("9007199254740993.ZEROS", 9007199254740992)]
    [TestCase("9007199254740993.ZEROS1", 9007199254740994)]
    [TestCase("0xZEROS1f", 31)]
    [TestCase("0x1f.ZEROS", 31)]
    [TestCase("0x20000000000001ZEROSp-12000", 9007199254740993)]
    [TestCase("0x.ZEROS8p12001", 1)]
    [TestCase("1eZEROS2", 100)]
    [TestCase("1e-ZEROS2", 0.01)]
    public void Reads_numbers_of_very_many_digits(string text, double value)
    {
        var bytes = Encoding.ASCII.GetBytes(text.Replace("ZEROS", new string('0', 3000), StringComparison.Ordinal));
        Assert.That(DoubleParser.TryParse(bytes, out var read), Is.True);
        Assert.That(read, Is.EqualTo(value));
    }

    [TestCase("1ZEROS")]
    [TestCase("0.ZEROS1")]
    [TestCase("1.ZEROS.")]
    [TestCase("1ZEROSe")]
    [TestCase("1ZEROSx")]
    [TestCase("ZEROS-1")]
    [TestCase(".e1")]
    [TestCase("0x1ZEROSg")]
    [TestCase("0x1ZEROSp")]
    [TestCase("0x1ZEROS")]
    public void Refuses_what_is_no_number_or_out_of_range_however_long(string text)
    {
        var bytes = Encoding.ASCII.GetBytes(text.Replace("ZEROS", new string('0', 3000), StringComparison.Ordinal));
        Assert.That(DoubleParser.TryParse(bytes, out _), Is.False);
    }

    [Test]
    public void Long_digits_read_as_the_same_with_zeros_around_them()
    {
        var random = new Random(7);
        for (var i = 0; i < 500; i++)
        {
            var digits = string.Concat(Enumerable.Range(0, random.Next(1, 300)).Select(_ => random.Next(10)));
            var expected = double.Parse(digits, System.Globalization.CultureInfo.InvariantCulture);
            var bytes = Encoding.ASCII.GetBytes(new string('0', 1500) + digits + "." + new string('0', 1500));
            Assert.That(DoubleParser.TryParse(bytes, out var read), Is.True);
            Assert.That(read, Is.EqualTo(expected));
        }
    }

    [Test]
    public void What_is_written_reads_as_the_same()
    {
        var random = new Random(9);
        Span<byte> buffer = stackalloc byte[DoubleFormat.MaxBytes];
        for (var i = 0; i < 200_000; i++)
        {
            var value = BitConverter.Int64BitsToDouble(random.NextInt64(long.MinValue, long.MaxValue));
            if (!double.IsNaN(value))
            {
                var text = buffer[..DoubleFormat.Format(value, buffer)];
                var isRead = DoubleParser.TryParse(text, out var read);
                Assert.That(isRead && read.Equals(value), $"{Encoding.ASCII.GetString(text)} for {value:R}");
            }
        }
    }

    [TestCase("1", 1.0)]
    [TestCase("+1.5", 1.5)]
    [TestCase("-.5e1", -5.0)]
    [TestCase("5.", 5.0)]
    [TestCase("0x10", 16.0)]
    [TestCase("-0X1.8p1", -3.0)]
    [TestCase("0x1p-1074", 5e-324)]
    [TestCase("0x.8", 0.5)]
    [TestCase("iNf", double.PositiveInfinity)]
    [TestCase("-infinity", double.NegativeInfinity)]
    [TestCase("123456789012345678901234567890", 123456789012345678901234567890.0)]
    public void Reads_what_strtod_reads(string text, double value)
    {
        Assert.That(DoubleParser.TryParse(Encoding.Latin1.GetBytes(text), out var read), Is.True);
        Assert.That(read, Is.EqualTo(value));
    }

    [TestCase("")]
    [TestCase(" 1")]
    [TestCase("1 ")]
    [TestCase("1\0")]
    [TestCase("nan")]
    [TestCase("+-1")]
    [TestCase("--1")]
    [TestCase("1e")]
    [TestCase(".")]
    [TestCase("0x")]
    [TestCase("0x.")]
    [TestCase("0x1p")]
    [TestCase("1e400")]
    [TestCase("-1e400")]
    [TestCase("1e-400")]
    [TestCase("0x1p99999999999999999999")]
    [TestCase("1,5")]
    [TestCase("∞")]
    [TestCase("1e5f")]
    public void Refuses_the_rest(string text)
        => Assert.That(DoubleParser.TryParse(Encoding.UTF8.GetBytes(text), out _), Is.False);

    [TestCase("", 0.0)]
    [TestCase(" 1", 1.0)]
    [TestCase("1\0abc", 1.0)]
    [TestCase("1e400", double.PositiveInfinity)]
    [TestCase("1e-400", 0.0)]
    public void Reads_more_as_the_end_of_a_range(string text, double value)
    {
        Assert.That(DoubleParser.TryParseLenient(Encoding.Latin1.GetBytes(text), out var read), Is.True);
        Assert.That(read, Is.EqualTo(value));
        Assert.That(DoubleParser.TryParseLenient("  "u8, out _), Is.False);
        Assert.That(DoubleParser.TryParseLenient("1 "u8, out _), Is.False);
    }
}
