using System.Text;
using NUnit.Framework;
using Strata.Server.Clients;

namespace Strata.Tests.Server.Clients;

/// <summary>How monitors see arguments.</summary>
public sealed class MonitorLineTests
{
    [TestCase("get", "\"get\"")]
    [TestCase("", "\"\"")]
    [TestCase("a \"b\" \\", "\"a \\\"b\\\" \\\\\"")]
    [TestCase("\n\r\t\a\b", "\"\\n\\r\\t\\a\\b\"")]
    [TestCase("\0\x1f\x7f\xff~ ", "\"\\x00\\x1f\\x7f\\xff~ \"")]
    public void Arguments_are_quoted_and_what_is_not_printable_is_escaped(string argument, string expected)
    {
        var line = new MemoryStream();
        MonitorLine.Quote(line, Encoding.Latin1.GetBytes(argument));
        Assert.That(Encoding.Latin1.GetString(line.ToArray()), Is.EqualTo(expected));
    }
}
