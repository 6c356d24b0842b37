using System.Globalization;

namespace Strata.Server.Options;

/// <summary>When the data is saved by itself: so many changes, and so many seconds since it was saved last.</summary>
public readonly record struct SavePoint(long Seconds, long Changes)
{
    /// <summary>The save points of a held text of <c>save</c>.</summary>
    public static IReadOnlyList<SavePoint> Parse(string text)
    {
        var numbers = text.Split(' ', StringSplitOptions.RemoveEmptyEntries)
            .Select(number => long.Parse(number, CultureInfo.InvariantCulture)).ToArray();
        return [.. numbers.Chunk(2).Select(pair => new SavePoint(pair[0], pair[1]))];
    }
}
