using System.Diagnostics.CodeAnalysis;
using System.Security.Cryptography;
using System.Text;

namespace Strata.Bench.Types;

/// <summary>Loads of scripts: what an application's locks and limiters send.</summary>
internal static class ScriptLoad
{
    private const string ReturnOne = "return 1";

    // Ends a lock if it is still held by the one who ends it.
    private const string Release =
        """if redis.call("GET", KEYS[1]) == ARGV[1] then return redis.call("DEL", KEYS[1]) else return 0 end""";

    // Counts in a window that begins with the first count, and says when it ends.
    private const string Limit =
        """local count = redis.call("INCR", KEYS[1]) """
        + """if count == 1 then redis.call("PEXPIRE", KEYS[1], ARGV[1]) end """
        + """return {count, redis.call("PTTL", KEYS[1])}""";

    private const int Windows = 10_000;

    /// <summary>All of them, each in a pipeline of 30 and alone.</summary>
    /// <param name="requests">Locks that are released in a pipeline; alone, a quarter of them.</param>
    public static IReadOnlyList<TypeLoad> All(long requests)
    {
        var limiter = LimiterLoad("script-limiter");
        return
        [
            ReturnLoad("script-return"),
            Alone(ReturnLoad("script-return-p1")),
            ReleaseLoad("script-release", requests),
            Alone(ReleaseLoad("script-release-p1", requests / 4)),
            limiter,
            Alone(LimiterLoad("script-limiter-p1")),
            limiter with { Name = "script-limiter-2workers", Workers = 2, WithOneWorker = limiter.Name },
            new TypeLoad("script-1000-bodies", "EVAL \"return {random:1000}\" 0"),
        ];
    }

    private static TypeLoad ReturnLoad(string name) => new(name, $"EVALSHA {HashOf(ReturnOne)} 0")
    {
        Fill = new DataFill($"EVAL {Quoted(ReturnOne)} 1 {{key}}", 100),
        SumPerOperation = 1,
    };

    private static TypeLoad ReleaseLoad(string name, long requests) =>
        new(name, $"EVALSHA {HashOf(Release)} 1 lock:{{key}} token")
        {
            Fill = new DataFill(
                $"SET lock:{{key/2}} token NX PX 3600000;EVAL {Quoted(Release)} 1 other:{{key/2}} token", 2 * requests),
            WarmUp = $"SET warmup:{{key/2}} token NX;EVALSHA {HashOf(Release)} 1 warmup:{{key/2}} token",
            Requests = requests,
            SumPerOperation = 1,
        };

    private static TypeLoad LimiterLoad(string name) =>
        new(name, $"EVALSHA {HashOf(Limit)} 1 limit:{{random:{Windows}}} 60000")
        {
            Fill = new DataFill($"EVAL {Quoted(Limit)} 1 limit:{{key}} 60000", Windows),
        };

    private static TypeLoad Alone(TypeLoad load) => load with { Connections = 50, Pipeline = 1 };

    // Braces are tables of Lua's here, no placeholders.
    private static string Quoted(string script) => $"'{script}'";

    [SuppressMessage("Security", "CA5350", Justification = "It is the name that EVALSHA knows a script by.")]
    private static string HashOf(string script) =>
        Convert.ToHexStringLower(SHA1.HashData(Encoding.ASCII.GetBytes(script)));
}
