using System.Globalization;
using System.Text;

namespace Strata.Server.Text;

/// <summary>What is kept of long bytes that people are shown, as Redis's slow log does it.</summary>
internal static class Excerpt
{
    /// <summary>A copy; of more bytes than <paramref name="most"/> the first, and how many more there are.</summary>
    public static byte[] Of(ReadOnlySpan<byte> bytes, int most)
        => bytes.Length <= most
            ? bytes.ToArray()
            : [.. bytes[..most], .. Encoding.ASCII.GetBytes(string.Create(
                CultureInfo.InvariantCulture, $"... ({bytes.Length - most} more bytes)"))];
}
