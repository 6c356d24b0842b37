namespace Strata.Server.Options.Syntax;

/// <summary>A file mode in octal digits, 0 to 777.</summary>
public sealed class OctalSyntax : IValueSyntax
{
    private const int LargestMode = 0x1FF;

    /// <inheritdoc/>
    public bool TakesSeveralWords => false;

    /// <inheritdoc/>
    public string Form => "octal mode (700)";

    /// <inheritdoc/>
    public bool TryRead(IReadOnlyList<string> words, string current, out string text, out string error)
    {
        text = "";
        error = "";
        var digits = words[0].AsSpan().TrimStart('0');
        if (words[0].Length == 0 || digits.ContainsAnyExceptInRange('0', '7'))
        {
            error = "argument couldn't be parsed as an octal number";
        }
        else if (digits.Length > 3)
        {
            error = $"argument must be between 0 and {Convert.ToString(LargestMode, 8)} inclusive";
        }
        else
        {
            text = digits.Length == 0 ? "0" : digits.ToString();
        }

        return error.Length == 0;
    }

    /// <inheritdoc/>
    public IReadOnlyList<string> Write(string text) => [text];

    /// <summary>The mode that a held text stands for.</summary>
    internal static int ToMode(string text) => text.Aggregate(0, (mode, digit) => (mode * 8) + (digit - '0'));
}
