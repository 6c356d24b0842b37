using Spectre.Console;
using Spectre.Console.Rendering;

namespace Strata.Bench.Top;

/// <summary>Texts, each from the beginning of a line and in a style, broken between words.</summary>
/// <param name="texts">The texts.</param>
internal sealed class Paragraphs(IReadOnlyList<(string Text, string Style)> texts) : Renderable
{
    /// <summary>How many lines they take.</summary>
    public int LinesAt(int width) => texts.Sum(text => Broken(text.Text, width).Count);

    /// <inheritdoc/>
    protected override IEnumerable<Segment> Render(RenderOptions options, int maxWidth)
    {
        foreach (var (text, style) in texts)
        {
            foreach (var line in Broken(text, maxWidth))
            {
                yield return new Segment(line, Style.Parse(style));
                yield return Segment.LineBreak;
            }
        }
    }

    private static List<string> Broken(string text, int width)
    {
        List<string> lines = [""];
        foreach (var word in text.Split(' '))
        {
            if (lines[^1].Length > 0 && lines[^1].Length + 1 + word.Length > width)
            {
                lines.Add("");
            }

            lines[^1] += lines[^1].Length > 0 ? " " + word : word;
        }

        return lines;
    }
}
