namespace Strata.Server.Scripting.Functions;

/// <summary>The first line of a library: which language it is in, and what it is called ("#!lua name=mylib").</summary>
internal static class LibraryHeader
{
    private const string NameOption = "name=";

    /// <summary>What is said of a wrong name, also of a function's.</summary>
    private const string WrongName =
        "Library names can only contain letters, numbers, or underscores(_) and must be at least one character long";

    /// <summary>Reads the line.</summary>
    /// <param name="code">The library.</param>
    /// <param name="name">What it is called.</param>
    /// <param name="length">The line's bytes, without its end, which stays so that lines keep their numbers.</param>
    /// <returns>What is wrong with it, or null.</returns>
    public static string? Read(ReadOnlySpan<byte> code, out string name, out int length)
    {
        name = "";
        length = 0;
        if (!Shebang.IsAt(code))
        {
            return "Missing library metadata";
        }

        length = Shebang.EndOfLine(code);
        if (length < 0 || !Shebang.TrySplit(code[..length], out var words))
        {
            return "Invalid library metadata";
        }

        if (ReadName(words, ref name) is { } problem)
        {
            return problem;
        }

        if (name.Length == 0 || name.Any(static c => !char.IsAsciiLetterOrDigit(c) && c != '_'))
        {
            return WrongName;
        }

        var engine = words[0][2..];
        return engine.Equals("lua", StringComparison.OrdinalIgnoreCase) ? null : $"Engine '{engine}' not found";
    }

    private static string? ReadName(List<string> words, ref string name)
    {
        string? found = null;
        foreach (var word in words.Skip(1))
        {
            if (!word.StartsWith(NameOption, StringComparison.OrdinalIgnoreCase))
            {
                return $"Invalid metadata value given: {word}";
            }

            if (found != null)
            {
                return "Invalid metadata value, name argument was given multiple times";
            }

            found = word[NameOption.Length..];
        }

        name = found ?? "";
        return found == null ? "Library name was not given" : null;
    }
}
