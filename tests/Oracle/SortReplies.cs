using System.Text;
using Strata.Tests.Support;

namespace Strata.Tests.Oracle;

/// <summary>
/// Compares what SORT gives where it leaves an order open: of a set that is not sorted (a BY pattern without a star),
/// and of texts that differ only behind a zero byte, where C's strcoll ends. What is stored is compared bytewise by
/// both servers, and read back by other commands.
/// </summary>
internal static class SortReplies
{
    private const int FirstOption = 2;

    public static bool Same(RespCommand command, RespValue actual, RespValue expected)
    {
        if (actual.Items.Count != expected.Items.Count)
        {
            return false;
        }

        if (PatternsOf(command, "BY"u8).Any(pattern => !TextOf(pattern).Contains((byte)'*')))
        {
            return true;
        }

        var isByText = command.Arguments.Skip(FirstOption).Any(word => Ascii.EqualsIgnoreCase(word, "ALPHA"u8));
        if (!isByText)
        {
            return actual.Equals(expected);
        }

        // With GET the rows do not show which elements are alike; with LIMIT only some of them are there.
        var showsElements = PatternsOf(command, "GET"u8).Count == 0;
        return showsElements
            ? Texts(actual).SequenceEqual(Texts(expected))
            : HasLimit(command) || actual.Sorted(arraysToo: true).Equals(expected.Sorted(arraysToo: true));
    }

    private static bool HasLimit(RespCommand command)
        => command.Arguments.Skip(FirstOption).Any(word => Ascii.EqualsIgnoreCase(word, "LIMIT"u8));

    private static List<byte[]> PatternsOf(RespCommand command, ReadOnlySpan<byte> word)
    {
        var patterns = new List<byte[]>();
        for (var i = FirstOption; i + 1 < command.Arguments.Count; i++)
        {
            if (Ascii.EqualsIgnoreCase(command.Arguments[i], word))
            {
                patterns.Add(command.Arguments[i + 1]);
            }
        }

        return patterns;
    }

    private static IEnumerable<string> Texts(RespValue reply)
        => reply.Items.Select(item => $"{item.Kind} {Encoding.Latin1.GetString(TextOf(item.Bytes))}");

    /// <summary>The bytes before the first zero byte.</summary>
    private static byte[] TextOf(byte[] bytes)
    {
        var end = Array.IndexOf(bytes, (byte)0);
        return end < 0 ? bytes : bytes[..end];
    }
}
