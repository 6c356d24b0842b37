using System.Globalization;
using Strata.Tests.Oracle;
using Strata.Tests.Support;

namespace Strata.Tests.EndToEnd.Persistence;

/// <summary>All that a server holds, as any Redis tells it: keys of all databases with type, value and expiry. Two
/// servers with the same data have equal images, whatever their encodings.</summary>
internal static class KeyspaceImage
{
    private const int Databases = 16;
    private const int KeysAtOnce = 200;

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
            foreach (var keys in connection.Call("KEYS", "*").Sorted(arraysToo: true).Items.Chunk(KeysAtOnce))
            {
                lines.AddRange(Lines(connection, database, keys));
            }
        }

        return lines;
    }

    private static IEnumerable<string> Lines(RespConnection connection, int database, RespValue[] keys)
    {
        connection.Send(keys.SelectMany(key => new[] { Command("PEXPIRETIME", key), Command("TYPE", key) }));
        var entries = keys
            .Select(key => (
                Key: key, ExpiryMs: connection.ReadReply().Integer, Type: connection.ReadReply().Text))
            .ToList();
        var soonMs = DateTimeOffset.UtcNow.Add(s_soon).ToUnixTimeMilliseconds();
        entries.RemoveAll(entry => entry.ExpiryMs == -2 || (entry.ExpiryMs >= 0 && entry.ExpiryMs < soonMs));
        var commands = entries.ConvertAll(entry => Reading(entry.Type, entry.Key));
        connection.Send(commands);
        foreach (var ((key, expiryMs, type), command) in entries.Zip(commands))
        {
            var value = Normalized(type, command, connection.ReadReply());
            yield return string.Create(
                CultureInfo.InvariantCulture, $"{database} {key} {type} expires {expiryMs}: {value}");
        }
    }

    private static RespCommand Reading(string type, RespValue key) => type switch
    {
        "string" => Command("GET", key),
        "list" => Command("LRANGE", key, "0", "-1"),
        "set" => Command("SMEMBERS", key),
        "zset" => Command("ZRANGE", key, "0", "-1", "WITHSCORES"),
        "stream" => RespCommand.Of("XINFO", "STREAM", key.Text, "FULL", "COUNT", "0"),
        "hash" => Command("HGETALL", key),
        _ => throw new InvalidDataException($"a key of type {type}"),
    };

    /// <summary>The order of elements is any, and servers write the same number in several ways.</summary>
    private static RespValue Normalized(string type, RespCommand command, RespValue value) => type switch
    {
        "set" => value.Sorted(arraysToo: true),
        "zset" => KnownDifferences.Normalize(command, value),
        "stream" => StreamReplies.Lasting(value),
        "hash" => value.SortedPairs(),
        _ => value,
    };

    private static RespCommand Command(string verb, RespValue key, params string[] others)
        => RespCommand.Of([verb, key.Text, .. others]);
}
