using System.Text;
using Strata.Server.Text;

namespace Strata.Server.Scripting;

/// <summary>The first line of a script, if it says which language it is in and what it may do
/// (https://redis.io/docs/latest/develop/programmability/lua-api/#script-flags).</summary>
internal static class Shebang
{
    private const string FlagsOption = "flags=";

    /// <summary>The flags that a script, or a function, can have, in Redis's words and order.</summary>
    public static IReadOnlyList<(ScriptFlags Flag, string Name)> FlagNames { get; } =
    [
        (ScriptFlags.NoWrites, "no-writes"),
        (ScriptFlags.AllowOom, "allow-oom"),
        (ScriptFlags.AllowStale, "allow-stale"),
        (ScriptFlags.NoCluster, "no-cluster"),
        (ScriptFlags.AllowCrossSlotKeys, "allow-cross-slot-keys"),
    ];

    /// <summary>What a script's line says, as far as it is right.</summary>
    public static ScriptFlags FlagsOf(ReadOnlySpan<byte> body)
    {
        _ = Read(body, out var flags, out _);
        return flags;
    }

    /// <summary>Reads the line.</summary>
    /// <param name="body">The script.</param>
    /// <param name="flags">What it says.</param>
    /// <param name="length">Its bytes, without the line's end, which stays so that lines keep their numbers.</param>
    /// <returns>What is wrong with it, or null.</returns>
    public static string? Read(ReadOnlySpan<byte> body, out ScriptFlags flags, out int length)
    {
        flags = ScriptFlags.Undeclared;
        length = 0;
        if (!IsAt(body))
        {
            return null;
        }

        length = EndOfLine(body);
        if (length < 0)
        {
            return "Invalid script shebang";
        }

        if (!TrySplit(body[..length], out var words))
        {
            return "Invalid engine in script shebang";
        }

        flags = ScriptFlags.None;
        if (words[0] != "#!lua")
        {
            return $"Unexpected engine in script shebang: {words[0]}";
        }

        foreach (var word in words.Skip(1))
        {
            if (!word.StartsWith(FlagsOption, StringComparison.Ordinal))
            {
                return $"Unknown lua shebang option: {word}";
            }

            foreach (var name in word[FlagsOption.Length..].Split(','))
            {
                var flag = FlagNames.FirstOrDefault(flag => flag.Name == name).Flag;
                if (flag == ScriptFlags.None)
                {
                    return $"Unexpected flag in script shebang: {name}";
                }

                flags |= flag;
            }
        }

        return null;
    }

    /// <summary>Whether a text begins with such a line.</summary>
    public static bool IsAt(ReadOnlySpan<byte> text) => text.StartsWith("#!"u8);

    /// <summary>Where the first line ends; -1 when it has no end, is too long, or has a zero before its end, which ends
    /// the text for Redis.</summary>
    public static int EndOfLine(ReadOnlySpan<byte> text)
    {
        text = text[..Math.Min(text.Length, ServerLimits.MaxShebangBytes)];
        var end = text.IndexOfAny((byte)'\n', (byte)0);
        return end >= 0 && text[end] == '\n' ? end : -1;
    }

    /// <summary>The words of the line; false when quotes are not closed.</summary>
    public static bool TrySplit(ReadOnlySpan<byte> line, out List<string> words)
        => QuotedWords.TrySplit(Encoding.Latin1.GetString(line), out words);
}
