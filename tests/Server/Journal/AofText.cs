using System.Globalization;
using System.Text;

namespace Strata.Tests.Server.Journal;

/// <summary>Reads what stands in an append-only file.</summary>
internal static class AofText
{
    /// <summary>The commands, each as its arguments with spaces between; lines that begin with # are left
    /// out.</summary>
    public static List<string> CommandsOf(byte[] bytes)
    {
        var commands = new List<string>();
        var position = 0;
        while (position < bytes.Length)
        {
            var line = LineAt(bytes, ref position);
            if (line[0] == '#')
            {
                continue;
            }

            var arguments = new string[int.Parse(line.AsSpan(1), CultureInfo.InvariantCulture)];
            for (var i = 0; i < arguments.Length; i++)
            {
                var length = int.Parse(LineAt(bytes, ref position).AsSpan(1), CultureInfo.InvariantCulture);
                arguments[i] = Encoding.Latin1.GetString(bytes, position, length);
                position += length + 2;
            }

            commands.Add(string.Join(' ', arguments));
        }

        return commands;
    }

    private static string LineAt(byte[] bytes, ref int position)
    {
        var end = Array.IndexOf(bytes, (byte)'\n', position);
        var line = Encoding.Latin1.GetString(bytes, position, end - position - 1);
        position = end + 1;
        return line;
    }
}
