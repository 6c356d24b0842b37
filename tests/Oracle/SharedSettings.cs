using Strata.Tests.Support;

namespace Strata.Tests.Oracle;

/// <summary>
/// The settings that sequences read and write: words that both servers know, with the value every sequence starts
/// from. Settings whose change would make replies depend on time or place (ports, passwords) are not among them.
/// </summary>
internal static class SharedSettings
{
    public static IReadOnlyDictionary<string, string> Baseline { get; } = new Dictionary<string, string>
    {
        ["maxmemory"] = "0",
        ["maxmemory-policy"] = "noeviction",
        ["timeout"] = "0",
        ["tcp-keepalive"] = "300",
        ["maxclients"] = "4000",
        ["proto-max-bulk-len"] = "536870912",
        ["client-query-buffer-limit"] = "1073741824",
        ["client-output-buffer-limit"] =
            "normal 0 0 0 slave 268435456 67108864 60 pubsub 33554432 8388608 60",

        // Low, so that hashes often cease to be packed.
        ["hash-max-listpack-entries"] = "32",
        ["stream-node-max-entries"] = "5",
        ["stream-node-max-bytes"] = "4096",
        ["hll-sparse-max-bytes"] = "3000",
        ["slowlog-log-slower-than"] = "10000",
        ["slowlog-max-len"] = "128",
        ["latency-monitor-threshold"] = "0",
    };

    /// <summary>The commands that bring a server back to where every sequence starts.</summary>
    public static IEnumerable<RespCommand> Reset()
    {
        var set = new List<string> { "CONFIG", "SET" };
        foreach (var (key, value) in Baseline)
        {
            set.Add(key);
            set.Add(value);
        }

        yield return RespCommand.Of([.. set]);
        yield return RespCommand.Of("FLUSHALL");
        yield return RespCommand.Of("FUNCTION", "FLUSH");
        yield return RespCommand.Of(["ACL", "DELUSER", .. AclFamily.Users]);
        yield return RespCommand.Of("ACL", "LOG", "RESET");
    }
}
