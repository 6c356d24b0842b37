using System.Globalization;
using Strata.Tests.Support;

namespace Strata.Tests.EndToEnd.Soak;

/// <summary>INFO of the server.</summary>
internal static class SoakInfo
{
    /// <summary>The text of a section.</summary>
    public static string Read(RespConnection connection, string section) => connection.Call("INFO", section).Text;

    /// <summary>The number in a field of a section.</summary>
    public static long Number(RespConnection connection, string section, string field)
    {
        var line = Read(connection, section).Split("\r\n").First(
            line => line.StartsWith(field + ":", StringComparison.Ordinal));
        return long.Parse(line.AsSpan(field.Length + 1), CultureInfo.InvariantCulture);
    }
}
