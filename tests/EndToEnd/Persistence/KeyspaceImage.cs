using System.Globalization;
using Strata.Tests.Oracle;
using Strata.Tests.Support;

namespace Strata.Tests.EndToEnd.Persistence;

/// <summary>All that a server holds, as any Redis tells it: keys of all databases with type, value and expiry. Two
/// servers with the same data have equal images, whatever their encodings.</summary>
internal static class KeyspaceImage
{
    private const int Databases = 16;

    // A key that expires soon may be gone in one image and not in the other.
    private static readonly TimeSpan s_soon = TimeSpan.FromMinutes(1);

    /// <summary>A line for each key, in the order of database and name.</summary>
    public static IReadOnlyList<string> Of(ServerProcess server)
    {
        using var connection = server.Connect();
        var lines = new List<string>();
        for (var database = 0; database < Databases; database++)
        {
            _ = connection.Call("SELECT", $"{database}");
            foreach (var key in connection.Call("KEYS", "*").Sorted(arraysToo: true).Items)
            {
                if (Line(connection, database, key) is { } line)
                {
                    lines.Add(line);
                }
            }
        }

        return lines;
    }

    private static string? Line(RespConnection connection, int database, RespValue key)
    {
        var expiryMs = connection.Call(Command("PEXPIRETIME", key)).Integer;
        var soonMs = DateTimeOffset.UtcNow.Add(s_soon).ToUnixTimeMilliseconds();
        if (expiryMs == -2 || (expiryMs >= 0 && expiryMs < soonMs))
        {
            return null;
        }

        var type = connection.Call(Command("TYPE", key)).Text;
        var value = type switch
        {
            "string" => connection.Call(Command("GET", key)),
            "list" => connection.Call(Command("LRANGE", key, "0", "-1")),
            "set" => connection.Call(Command("SMEMBERS", key)).Sorted(arraysToo: true),
            "zset" => Scores(connection, key),
            "stream" => StreamReplies.Lasting(
                connection.Call("XINFO", "STREAM", key.Text, "FULL", "COUNT", "0")),
            "hash" => connection.Call(Command("HGETALL", key)).SortedPairs(),
            _ => throw new InvalidDataException($"a key of type {type}"),
        };
        return string.Create(
            CultureInfo.InvariantCulture, $"{database} {key} {type} expires {expiryMs}: {value}");
    }

    /// <summary>Servers write the same number in several ways.</summary>
    private static RespValue Scores(RespConnection connection, RespValue key)
    {
        var command = Command("ZRANGE", key, "0", "-1", "WITHSCORES");
        return KnownDifferences.Normalize(command, connection.Call(command));
    }

    private static RespCommand Command(string verb, RespValue key, params string[] others)
        => RespCommand.Of([verb, key.Text, .. others]);
}
