using System.Text;

namespace Strata.Server.Commands.Server;

/// <summary>LOLWUT's drawing: layers of rock, folded by a few waves and broken by one fault.</summary>
internal static class StrataArt
{
    private const string Rocks = "\u2591\u2592\u2593\u2588.:=~-+";
    private const int Waves = 3;

    /// <summary>Draws so many rows of so many characters, another picture each time.</summary>
    public static string Draw(int columns, int rows, Random random)
    {
        var waves = new (double Length, double Phase, double Height)[Waves];
        for (var i = 0; i < Waves; i++)
        {
            waves[i] = (
                columns / (0.5 + (random.NextDouble() * 2.5)),
                random.NextDouble() * Math.Tau,
                rows * (0.04 + (random.NextDouble() * 0.08)));
        }

        var layers = Layers(rows, random);
        var faultAt = columns * (0.3 + (random.NextDouble() * 0.4));
        var faultSlope = (random.NextDouble() * 2) - 1;
        var faultShift = rows * (0.1 + (random.NextDouble() * 0.2));
        var text = new StringBuilder();
        for (var y = 0; y < rows; y++)
        {
            for (var x = 0; x < columns; x++)
            {
                var depth = y + waves.Sum(wave => wave.Height * Math.Sin((x / wave.Length * Math.Tau) + wave.Phase));
                depth += x > faultAt + (faultSlope * y) ? faultShift : 0;
                text.Append(layers[(int)Math.Clamp(depth + (rows / 2.0), 0, layers.Length - 1)]);
            }

            text.Append('\n');
        }

        return text.ToString();
    }

    /// <summary>What rock lies at each depth, from well above the picture to well below it.</summary>
    private static char[] Layers(int rows, Random random)
    {
        var layers = new char[rows * 2];
        var rock = random.Next(Rocks.Length);
        for (var depth = 0; depth < layers.Length;)
        {
            rock = (rock + 1 + random.Next(Rocks.Length - 1)) % Rocks.Length;
            for (var thickness = 1 + random.Next(3); thickness > 0 && depth < layers.Length; thickness--)
            {
                layers[depth++] = Rocks[rock];
            }
        }

        return layers;
    }
}
