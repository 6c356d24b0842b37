using System.Globalization;
using System.Numerics;
using System.Text;
using NUnit.Framework;
using Strata.Server.Commands.Strings;

namespace Strata.Tests.Server.Commands.Strings;

public sealed class ExtendedFloatTests
{
    // What redis-server 7.0.15 on x86-64 answers to INCRBYFLOAT.
    [TestCase("10.5", "0.1", "10.6")]
    [TestCase("3.0e3", "200", "3200")]
    [TestCase("5.0e3", "2.0e2", "5200")]
    [TestCase("0.1", "0.2", "0.3")]
    [TestCase("1.1", "-1.1", "0")]
    [TestCase("0", "-0", "0")]
    [TestCase("-0", "-0.0", "0")]
    [TestCase("0", "1e-17", "0.00000000000000001")]
    [TestCase("0", "5e-18", "0")]
    [TestCase("0", "-4e-18", "0")]
    [TestCase("1000000.1", "0", "1000000.10000000000002274")]
    [TestCase("1e18", "0.5", "1000000000000000000.5")]
    [TestCase("18446744073709551615", "0", "18446744073709551615")]
    [TestCase("18446744073709551615", "1", "18446744073709551616")]
    [TestCase("99999999999999999999999999", "0", "100000000000000000000000000")]
    [TestCase("1e400", "-1e400", "0")]
    [TestCase("1e-4940", "1.5", "1.5")]
    [TestCase("0x1p3", "+.5", "8.5")]
    [TestCase("0X.8", "5.", "5.5")]
    [TestCase("-0x1.8p-3", "0E999999999999", "-0.1875")]
    public void Sums_read_as_those_of_Redis(string left, string right, string sum)
        => Assert.That(Add(left, right), Is.EqualTo(sum));

    [TestCase("")]
    [TestCase(".")]
    [TestCase("+")]
    [TestCase("-.")]
    [TestCase(" 1")]
    [TestCase("1 ")]
    [TestCase("+-1")]
    [TestCase("1e")]
    [TestCase("1e+")]
    [TestCase("e5")]
    [TestCase("1.2.3")]
    [TestCase("1,5")]
    [TestCase("nan")]
    [TestCase("infinit")]
    [TestCase("0x")]
    [TestCase("0x.")]
    [TestCase("0x1p")]
    [TestCase("0xg")]
    [TestCase("1e4933")]
    [TestCase("1e99999999999999999999")]
    [TestCase("0x1p16384")]
    [TestCase("1e-4951")]
    [TestCase("-1e-99999999999999999999")]
    [TestCase("0x1p-16446")]
    public void Refuses_what_Redis_refuses(string text) => Assert.That(Parse(text), Is.Null);

    [Test]
    public void Refuses_text_of_5_KiB()
    {
        Assert.Multiple(() =>
        {
            Assert.That(Parse(new string('0', (5 * 1024) - 1)), Is.Not.Null);
            Assert.That(Parse(new string('0', 5 * 1024)), Is.Null);
        });
    }

    [TestCase("inf")]
    [TestCase("-INFINITY")]
    [TestCase("+Inf")]
    public void Infinity_is_a_number(string text) => Assert.That(Parse(text)!.Value.IsInfinite);

    [Test]
    public void A_sum_beyond_the_largest_number_is_infinite()
    {
        var largest = Parse("1.18973149535723176502e4932")!.Value;
        Assert.Multiple(() =>
        {
            Assert.That(largest.IsInfinite, Is.False);
            Assert.That(ExtendedFloat.Add(largest, largest).IsInfinite);
        });
    }

    [Test]
    public void The_longest_text_fits()
    {
        var text = Format(Parse("-1.18973149535723176502e4932")!.Value);
        Assert.That(text, Does.StartWith("-118973149535723176502"));
        Assert.That(text, Has.Length.EqualTo(4934).And.Length.LessThanOrEqualTo(ExtendedFloat.MaxTextBytes));
    }

    [FsCheck.NUnit.Property(MaxTest = 2000)]
    public void Sums_are_those_of_exact_arithmetic_rounded_to_64_bits(int seed)
    {
        var random = new Random(seed);
        var (left, leftText) = RandomDecimal(random);
        var (right, rightText) = RandomDecimal(random);
        var sum = Rounded(Sum(Rounded(left), Rounded(right)));
        Assert.That(Add(leftText, rightText), Is.EqualTo(ToText(sum)), $"{leftText} + {rightText}");
    }

    [FsCheck.NUnit.Property(MaxTest = 500)]
    public void Hexadecimal_numbers_are_read_like_the_decimal_ones_they_equal(ulong digits, ushort low, sbyte power)
    {
        var bits = (new BigInteger(digits) << 16) + low;
        var expected = power >= 0 ? new Rational(bits << power, 1) : new Rational(bits, BigInteger.One << -power);
        var text = $"0x{digits:x}{low:X4}p{power}";
        Assert.That(Add(text, "0"), Is.EqualTo(ToText(Rounded(expected))), text);
    }

    private static (Rational Value, string Text) RandomDecimal(Random random)
    {
        var digits = new StringBuilder();
        for (var i = random.Next(1, random.Next(2) == 0 ? 20 : 60); i > 0; i--)
        {
            digits.Append((char)('0' + random.Next(10)));
        }

        var sign = random.Next(2) == 0 ? "-" : "";
        var power = random.Next(-70, 30);
        var integer = BigInteger.Parse(sign + digits, CultureInfo.InvariantCulture);
        var value = power >= 0
            ? new Rational(integer * BigInteger.Pow(10, power), 1)
            : new Rational(integer, BigInteger.Pow(10, -power));
        return (value, $"{sign}{digits}e{power}");
    }

    private static Rational Sum(Rational a, Rational b)
        => new((a.Over * b.Under) + (b.Over * a.Under), a.Under * b.Under);

    /// <summary>The nearest number with a mantissa of 64 bits.</summary>
    private static Rational Rounded(Rational value)
    {
        if (value.Over.IsZero)
        {
            return value;
        }

        var (over, under) = (BigInteger.Abs(value.Over), value.Under);
        var exponent = 0;
        while (over < under << 63)
        {
            over <<= 1;
            exponent--;
        }

        while (over >= under << 64)
        {
            under <<= 1;
            exponent++;
        }

        var mantissa = Nearest(over, under) * value.Over.Sign;
        return exponent >= 0
            ? new Rational(mantissa << exponent, 1)
            : new Rational(mantissa, BigInteger.One << -exponent);
    }

    private static BigInteger Nearest(BigInteger over, BigInteger under)
    {
        var quotient = BigInteger.DivRem(over, under, out var rest);
        var twice = (rest * 2).CompareTo(under);
        return twice > 0 || (twice == 0 && !quotient.IsEven) ? quotient + 1 : quotient;
    }

    private static string ToText(Rational value)
    {
        var scaled = Nearest(BigInteger.Abs(value.Over) * BigInteger.Pow(10, 17), value.Under);
        var digits = scaled.ToString("D18", CultureInfo.InvariantCulture);
        var text = $"{digits[..^17]}.{digits[^17..]}".TrimEnd('0').TrimEnd('.');
        return value.Over.Sign < 0 && !scaled.IsZero ? "-" + text : text;
    }

    private static string Add(string left, string right)
        => Format(ExtendedFloat.Add(Parse(left)!.Value, Parse(right)!.Value));

    private static ExtendedFloat? Parse(string text)
        => ExtendedFloatParser.TryParse(Encoding.ASCII.GetBytes(text), out var value) ? value : null;

    private static string Format(ExtendedFloat value)
    {
        var text = new byte[ExtendedFloat.MaxTextBytes];
        return Encoding.ASCII.GetString(text, 0, value.Format(text));
    }

    private readonly record struct Rational(BigInteger Over, BigInteger Under);
}
