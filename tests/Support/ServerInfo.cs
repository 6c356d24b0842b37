using System.Diagnostics;
using System.Globalization;
using NUnit.Framework;

namespace Strata.Tests.Support;

/// <summary>INFO of a server.</summary>
internal static class ServerInfo
{
    /// <summary>The text of a section.</summary>
    public static string Read(RespConnection connection, string section) => connection.Call("INFO", section).Text;

    /// <summary>The number in a field of a section.</summary>
    public static long Number(RespConnection connection, string section, string field)
        => NumberIn(Read(connection, section), field);

    /// <summary>The number in a field of what was answered: several of one answer are of one moment.</summary>
    public static long NumberIn(string answer, string field)
    {
        var line = answer.Split("\r\n").First(line => line.StartsWith(field + ":", StringComparison.Ordinal));
        return long.Parse(line.AsSpan(field.Length + 1), CultureInfo.InvariantCulture);
    }

    /// <summary>Waits until a field of a section has a value, and asserts that it has.</summary>
    public static void WaitFor(RespConnection connection, string section, string field, long value)
    {
        var clock = Stopwatch.StartNew();
        while (Number(connection, section, field) != value && clock.ElapsedMilliseconds < Patience.Ms)
        {
            Thread.Sleep(1);
        }

        Assert.That(Number(connection, section, field), Is.EqualTo(value), field);
    }
}
