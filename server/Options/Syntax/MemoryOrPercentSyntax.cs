using System.Globalization;

namespace Strata.Server.Options.Syntax;

/// <summary>A size in memory, or a share of <c>maxmemory</c> up to 100%. Held in bytes, or with its percent sign.
/// </summary>
public sealed class MemoryOrPercentSyntax : IValueSyntax
{
    private readonly MemorySyntax _size = new(0);

    /// <inheritdoc/>
    public bool TakesSeveralWords => false;

    /// <inheritdoc/>
    public string Form => "size (1024, 100mb, 4gb) or percentage";

    /// <inheritdoc/>
    public bool TryRead(IReadOnlyList<string> words, string current, out string text, out string error)
    {
        if (!words[0].EndsWith('%'))
        {
            var isSize = MemorySyntax.TryParse(words[0], out _);
            var isRight = _size.TryRead(words, current, out text, out error);
            error = isSize ? error : "argument must be a memory or percent value";
            return isRight;
        }

        var isNumber = long.TryParse(
            words[0].AsSpan()[..^1], NumberStyles.None, CultureInfo.InvariantCulture, out var percent);
        error = !isNumber ? "argument must be a memory or percent value"
            : percent > 100 ? "percentage argument must be less or equal to 100"
            : "";
        text = percent == 0 ? "0" : string.Create(CultureInfo.InvariantCulture, $"{percent}%");
        return error.Length == 0;
    }

    /// <inheritdoc/>
    public IReadOnlyList<string> Write(string text) => [text.EndsWith('%') ? text : _size.Write(text)[0]];
}
