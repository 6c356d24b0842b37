using System.Globalization;

namespace Strata.Server.Options.Syntax;

/// <summary>
/// Limits per class of clients, each as <c>class hard soft seconds</c>; a class that is not named keeps what it has.
/// Held with all three classes in a fixed order, the replicas under their old name as CONFIG GET prints them.
/// </summary>
public sealed class OutputBufferLimitSyntax : IValueSyntax
{
    private const int WordsPerClass = 4;

    private static readonly string[] s_heldNames = ["normal", "slave", "pubsub"];
    private static readonly string[] s_writtenNames = ["normal", "replica", "pubsub"];

    /// <inheritdoc/>
    public bool TakesSeveralWords => true;

    /// <inheritdoc/>
    public string Form => "class hard soft seconds";

    /// <inheritdoc/>
    public bool TryRead(IReadOnlyList<string> words, string current, out string text, out string error)
    {
        text = "";
        error = "";
        if (words.Count % WordsPerClass != 0)
        {
            error = "Wrong number of arguments in buffer limit configuration.";
            return false;
        }

        var limits = current.Length == 0 ? new OutputBufferLimit[s_heldNames.Length] : [.. ToLimits(current)];
        for (var i = 0; i < words.Count; i += WordsPerClass)
        {
            var index = IndexOfClass(words[i]);
            if (index < 0)
            {
                error = "Invalid client class specified in buffer limit configuration.";
                return false;
            }

            if (!TryReadLimit(words[i + 1], words[i + 2], words[i + 3], out limits[index]))
            {
                error = "Error in hard, soft or soft_seconds setting in buffer limit configuration.";
                return false;
            }
        }

        text = string.Join(' ', s_heldNames.Zip(limits, (name, limit) => string.Create(
            CultureInfo.InvariantCulture,
            $"{name} {limit.HardBytes} {limit.SoftBytes} {limit.SoftSeconds}")));
        return true;
    }

    /// <inheritdoc/>
    public IReadOnlyList<string> Write(string text) =>
    [
        .. s_writtenNames.Zip(ToLimits(text), (name, limit) =>
        {
            var (hard, soft) = (MemorySyntax.Format(limit.HardBytes), MemorySyntax.Format(limit.SoftBytes));
            return string.Create(CultureInfo.InvariantCulture, $"{name} {hard} {soft} {limit.SoftSeconds}");
        }),
    ];

    /// <summary>The limits that a held text gives: of normal clients, replicas and subscribers.</summary>
    internal static IReadOnlyList<OutputBufferLimit> ToLimits(string text) =>
    [
        .. text.Split(' ').Chunk(WordsPerClass).Select(words => new OutputBufferLimit(
            long.Parse(words[1], CultureInfo.InvariantCulture),
            long.Parse(words[2], CultureInfo.InvariantCulture),
            long.Parse(words[3], CultureInfo.InvariantCulture))),
    ];

    private static int IndexOfClass(string word)
    {
        var held = Array.FindIndex(s_heldNames, name => name.Equals(word, StringComparison.OrdinalIgnoreCase));
        return held >= 0
            ? held
            : Array.FindIndex(s_writtenNames, name => name.Equals(word, StringComparison.OrdinalIgnoreCase));
    }

    private static bool TryReadLimit(string hard, string soft, string seconds, out OutputBufferLimit limit)
    {
        var right = MemorySyntax.TryParse(hard, out var hardBytes)
            & MemorySyntax.TryParse(soft, out var softBytes)
            & long.TryParse(seconds, NumberStyles.None, CultureInfo.InvariantCulture, out var softSeconds);
        limit = new OutputBufferLimit(hardBytes, softBytes, softSeconds);
        return right;
    }
}
