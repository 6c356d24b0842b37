using System.Globalization;
using System.Text;
using Strata.Server.Metrics;

namespace Strata.Server.Reports;

/// <summary>Puts INFO's text together: sections of lines, "field:value", in the format of Redis.</summary>
public sealed class InfoText
{
    private readonly StringBuilder _text = new();

    /// <summary>Begins a section, after an empty line if it is not the first.</summary>
    public void Section(string title)
    {
        if (_text.Length > 0)
        {
            _text.Append("\r\n");
        }

        _text.Append("# ").Append(title).Append("\r\n");
    }

    /// <summary>A line of text. What would break the format is replaced.</summary>
    public void Field(string name, string value)
        => _text.Append(name).Append(':').Append(value.ReplaceLineEndings(" ")).Append("\r\n");

    public void Field(string name, long value) => Field(name, value.ToString(CultureInfo.InvariantCulture));

    /// <summary>The figure of a metric, under INFO's name for it.</summary>
    public void Field(Metric metric, MetricSource source) => Field(metric.InfoField!, (long)metric.Value!(source));

    /// <summary>The figure of a metric, bytes, and again with a unit.</summary>
    public void Bytes(Metric metric, MetricSource source) => Bytes(metric.InfoField!, (long)metric.Value!(source));

    /// <summary>A number with so many digits behind the point.</summary>
    public void Field(string name, double value, int digits) => Field(name, Fixed(value, digits));

    /// <summary>Fields of what the server does not have.</summary>
    public void Zeros(params ReadOnlySpan<string> names)
    {
        foreach (var name in names)
        {
            Field(name, 0);
        }
    }

    /// <summary>A number of bytes, and again with a unit under "name_human".</summary>
    public void Bytes(string name, long bytes)
    {
        Field(name, bytes);
        Field(name + "_human", Human(bytes));
    }

    /// <inheritdoc/>
    public override string ToString() => _text.ToString();

    /// <summary>Bytes with a unit, as Redis writes them: "1.50M".</summary>
    public static string Human(long bytes)
    {
        const string Units = "BKMGTPE";
        if (bytes < 1024)
        {
            return string.Create(CultureInfo.InvariantCulture, $"{bytes}B");
        }

        var value = (double)bytes;
        var unit = 0;
        while (value >= 1024 && unit < Units.Length - 1)
        {
            value /= 1024;
            unit++;
        }

        return Fixed(value, 2) + Units[unit];
    }

    /// <summary>A number with so many digits behind the point.</summary>
    public static string Fixed(double value, int digits)
        => (double.IsFinite(value) ? value : 0).ToString("F" + digits, CultureInfo.InvariantCulture);

    /// <summary>A percentile without needless zeros: 50, 99.9.</summary>
    public static string Percentile(double percentile) => percentile.ToString("0.######", CultureInfo.InvariantCulture);
}
