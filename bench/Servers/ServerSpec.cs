using System.Globalization;

namespace Strata.Bench.Servers;

/// <summary>How to start a server. The command is a shell's; {port}, {dir} and {workers} are filled in.</summary>
internal sealed record ServerSpec(string Name, int Port, string Command)
{
    /// <summary>Whether the number of workers can be chosen.</summary>
    public bool TakesWorkers => Command.Contains("{workers}", StringComparison.Ordinal);

    /// <exception cref="BenchException">The text is not NAME=PORT=COMMAND.</exception>
    public static ServerSpec Parse(string text)
    {
        var parts = text.Split('=', 3);
        if (parts.Length == 3 && parts[0].Length > 0 && parts[2].Length > 0
            && int.TryParse(parts[1], NumberStyles.None, CultureInfo.InvariantCulture, out var port) && port <= 65535)
        {
            return new ServerSpec(parts[0], port, parts[2]);
        }

        throw new BenchException(
            $"--server {text} names no server: write it as NAME=PORT=COMMAND, with port 0 for a free one.");
    }

    /// <summary>The command with everything filled in.</summary>
    public string CommandFor(int port, string directory, int workers) => Command
        .Replace("{port}", port.ToString(CultureInfo.InvariantCulture), StringComparison.Ordinal)
        .Replace("{dir}", directory, StringComparison.Ordinal)
        .Replace("{workers}", workers.ToString(CultureInfo.InvariantCulture), StringComparison.Ordinal);
}
