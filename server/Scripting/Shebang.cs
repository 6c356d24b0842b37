using System.Text;

namespace Strata.Server.Scripting;

/// <summary>The first line of a script, if it says which language it is in and what it may do
/// (https://redis.io/docs/latest/develop/programmability/lua-api/#script-flags).</summary>
internal static class Shebang
{
    private const string FlagsOption = "flags=";

    /// <summary>Reads the line.</summary>
    /// <param name="body">The script.</param>
    /// <param name="flags">What it says.</param>
    /// <param name="length">Its bytes, without the line's end, which stays so that lines keep their numbers.</param>
    /// <returns>What is wrong with it, or null.</returns>
    public static string? Read(ReadOnlySpan<byte> body, out ScriptFlags flags, out int length)
    {
        flags = ScriptFlags.Undeclared;
        length = 0;
        if (!body.StartsWith("#!"u8))
        {
            return null;
        }

        length = body.IndexOf((byte)'\n');
        if (length < 0)
        {
            return "Invalid script shebang";
        }

        flags = ScriptFlags.None;
        var words = Encoding.Latin1.GetString(body[..length])
            .Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries);
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
                if (FlagOf(name) is not { } flag)
                {
                    return $"Unexpected flag in script shebang: {name}";
                }

                flags |= flag;
            }
        }

        return null;
    }

    private static ScriptFlags? FlagOf(string name) => name switch
    {
        "no-writes" => ScriptFlags.NoWrites,
        "allow-oom" => ScriptFlags.AllowOom,
        "allow-stale" => ScriptFlags.AllowStale,
        "no-cluster" => ScriptFlags.NoCluster,
        "allow-cross-slot-keys" => ScriptFlags.AllowCrossSlotKeys,
        _ => null,
    };
}
