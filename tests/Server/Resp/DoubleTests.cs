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
