using System.Globalization;
using System.Text;

namespace Strata.Server.Resp;

/// <summary>Writes a double with 17 digits, as C's <c>%.17g</c>: no two of them have the same text.</summary>
internal static class ExactDoubleFormat
{
    /// <summary>No text is longer.</summary>
    public const int MaxBytes = 32;

    private const int Digits = 17;
    private const int LeastPlainExponent = -4;

    /// <summary>Writes a value.</summary>
    /// <returns>Bytes written.</returns>
    public static int Format(double value, Span<byte> text)
        => Encoding.ASCII.GetBytes(Format(value), text);

    private static string Format(double value)
    {
        if (!double.IsFinite(value))
        {
            return double.IsNaN(value) ? "nan" : value > 0 ? "inf" : "-inf";
        }

        var exact = value.ToString("E16", CultureInfo.InvariantCulture); // d.dddE+ddd, and a sign.
        var mark = exact.IndexOf('E', StringComparison.Ordinal);
        var exponent = int.Parse(exact.AsSpan(mark + 1), NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture);
        var sign = exact[0] == '-' ? "-" : "";
        var digits = exact[sign.Length..mark].Replace(".", "", StringComparison.Ordinal).TrimEnd('0');
        digits = digits.Length == 0 ? "0" : digits;
        if (exponent is < LeastPlainExponent or >= Digits)
        {
            var fraction = digits.Length > 1 ? "." + digits[1..] : "";
            var power = Math.Abs(exponent).ToString("D2", CultureInfo.InvariantCulture);
            return $"{sign}{digits[0]}{fraction}e{(exponent < 0 ? '-' : '+')}{power}";
        }

        if (exponent < 0)
        {
            return sign + "0." + new string('0', -exponent - 1) + digits;
        }

        digits = digits.PadRight(exponent + 1, '0');
        return digits.Length == exponent + 1 ? sign + digits : sign + digits.Insert(exponent + 1, ".");
    }
}
