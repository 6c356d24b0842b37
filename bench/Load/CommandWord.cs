namespace Strata.Bench.Load;

/// <summary>A word of a command as <c>--command</c> writes it, without its quotes.</summary>
/// <param name="Text">The word.</param>
/// <param name="IsLiteral">Whether it was in single quotes: it has no placeholders.</param>
internal readonly record struct CommandWord(string Text, bool IsLiteral)
{
    private const char Separator = ';';

    /// <summary>Reads commands separated by semicolons; those without a word are left out. A quote counts at the
    /// beginning of a word, up to the next one of its kind.</summary>
    /// <exception cref="BenchException">A quote does not end.</exception>
    public static List<List<CommandWord>> ReadAll(string text)
    {
        var commands = new List<List<CommandWord>> { new() };
        for (var at = 0; at < text.Length;)
        {
            if (text[at] == Separator)
            {
                commands.Add([]);
                at++;
            }
            else if (char.IsWhiteSpace(text[at]))
            {
                at++;
            }
            else
            {
                commands[^1].Add(ReadOne(text, ref at));
            }
        }

        commands.RemoveAll(words => words.Count == 0);
        return commands;
    }

    private static CommandWord ReadOne(string text, ref int at)
    {
        var start = at;
        if (text[start] is var quote and ('\'' or '"'))
        {
            var end = text.IndexOf(quote, start + 1);
            if (end < 0)
            {
                throw new BenchException($"--command has a quote that does not end: {text[start..]}");
            }

            at = end + 1;
            return new CommandWord(text[(start + 1)..end], quote == '\'');
        }

        while (at < text.Length && text[at] != Separator && !char.IsWhiteSpace(text[at]))
        {
            at++;
        }

        return new CommandWord(text[start..at], IsLiteral: false);
    }
}
