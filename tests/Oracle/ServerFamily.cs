namespace Strata.Tests.Oracle;

/// <summary>Commands about the server and about commands; often their errors, since the answers are its own.</summary>
internal sealed class ServerFamily : ICommandFamily
{
    /// <summary>The commands that both servers have, in the words COMMAND INFO takes; but for WAIT, whose flags every
    /// version of Redis changed.</summary>
    public static IReadOnlyList<string> CommandNames { get; } =
    [
        "get", "set", "getex", "getdel", "getset", "setex", "psetex", "setnx", "mset", "msetnx", "mget", "append",
        "strlen", "setrange", "getrange", "substr", "incr", "decr", "incrby", "decrby", "incrbyfloat", "lcs",
        "setbit", "getbit", "bitcount", "bitpos", "bitop", "bitfield", "bitfield_ro",
        "del", "unlink", "exists", "type", "touch", "rename", "renamenx", "copy", "move", "randomkey", "keys", "scan",
        "expire", "pexpire", "expireat", "pexpireat", "ttl", "pttl", "expiretime", "pexpiretime", "persist", "object",
        "dbsize", "ping", "echo", "quit", "reset", "select", "hello", "auth", "client", "info", "config", "command",
        "time", "flushdb", "flushall", "swapdb", "shutdown", "slowlog", "latency", "memory", "debug", "lolwut",
        "monitor", "publish", "spublish", "pubsub", "subscribe", "unsubscribe", "psubscribe", "punsubscribe",
        "ssubscribe", "sunsubscribe", "role", "lastsave", "readonly", "readwrite",
        "asking", "module", "acl",
    ];

    private static readonly Func<CommandPool, string[]>[] s_commands =
    [
        Config, Config, Config,
        Command, Command, Command,
        Slowlog, Latency, Memory, Unknown, Unknown,
        p => ["OBJECT", .. p.Pick<string[]>(["HELP"], ["help"], [], ["junk"], ["junk", "k"], ["ENCODING"],
            ["ENCODING", "a", "b"])],
        p => ["DEBUG", .. p.Pick<string[]>([], ["SLEEP", "0"], ["OBJECT", p.Key()], ["HELP"])],
        p => ["INFO", .. p.Pick<string[]>([], ["server"], ["keyspace"], ["all"], ["nonsense"], ["memory", "stats"])],
        Cluster,
        p => ["MODULE", .. p.Pick<string[]>([], ["LIST"], ["list", "x"], ["HELP"], ["junk"], ["junk", "a"])],
        p => ["ACL", .. p.Pick<string[]>([], ["WHOAMI"], ["whoami"], ["WHOAMI", "x"], ["HELP"], ["junk"])],
        p => [p.Pick("ROLE", "READONLY", "READWRITE", "ASKING"), .. p.Pick<string[]>([], [], ["x"])],
        p => ["LASTSAVE", .. p.Pick<string[]>([], [], ["x"])],
        p => ["TIME", .. p.Pick<string[]>([], [], ["x"])],
        p => ["SWAPDB", p.Pick("0", "abc", "16", "-1"), p.Pick("1", "abc", "16", "")],
        p => ["LOLWUT", .. p.Pick<string[]>([], ["VERSION", "abc"])],
        _ => ["SHUTDOWN", "ABORT"],
    ];

    public string Name => "server";

    public OracleStep Next(CommandPool pool) => OracleStep.Single(Random(pool));

    /// <summary>
    /// The arguments of a command of this family. They are wrong only in ways chosen here: random damage could make
    /// a SHUTDOWN of one, or a CLIENT REPLY OFF.
    /// </summary>
    public static string[] Random(CommandPool pool)
    {
        var words = pool.Pick(s_commands)(pool);
        words[0] = pool.MixedCase(words[0]);
        return words;
    }

    private static string[] Config(CommandPool pool) => pool.Below(10) switch
    {
        0 or 1 => ["CONFIG", pool.MixedCase("GET"), .. pool.Several(3, () => SettingGlob(pool))],
        2 or 3 or 4 => ["CONFIG", pool.MixedCase("SET"), .. SettingPair(pool)],
        5 => ["CONFIG", "SET", .. SettingPair(pool), .. SettingPair(pool)],
        6 => ["CONFIG", "SET", .. SettingPair(pool), .. pool.Pick<string[]>(["nonsense", "1"], ["maxmemory"],
            ["databases", "4"])],
        7 => ["CONFIG", "RESETSTAT", .. pool.Pick<string[]>([], [], ["x"])],
        8 => ["CONFIG", "REWRITE"],
        _ => ["CONFIG", .. pool.Pick<string[]>([], ["junk"], ["GET"], ["SET"], ["SET", "maxmemory"], ["HELP"],
            ["junk", "a"])],
    };

    private static string SettingGlob(CommandPool pool) => pool.Pick(
        "maxmemory", "maxmemory*", "MAXMEMORY", "*", "slowlog*", "*timeout*", "nothing", "", "[ms]*", "tcp-?eepalive",
        pool.Pick(SharedSettings.Baseline.Keys.ToList()));

    private static string[] SettingPair(CommandPool pool) => pool.Below(15) switch
    {
        0 when pool.MayLackMemory => ["maxmemory", "1k"],
        0 => ["maxmemory", pool.Pick("0", "10gb", "20GB", "abc", "-1", "", "10737418240", "10 gb", "1e3")],
        1 when pool.MayLackMemory => ["maxmemory-policy", pool.Pick("noeviction", "junk")],
        1 => ["maxmemory-policy", pool.Pick("noeviction", "ALLKEYS-LRU", "allkeys-lfu", "volatile-ttl",
            "volatile-random", "junk", "")],
        2 => ["timeout", pool.Pick("0", "3600", "-1", "abc", "2147483648", "")],
        3 => ["tcp-keepalive", pool.Pick("0", "60", "-1", "abc")],
        4 => ["maxclients", pool.Pick("1000", "3000", "0", "-1", "abc")],
        5 => ["proto-max-bulk-len", pool.Pick("1mb", "536870912", "abc", "1MB", "2Mb")],
        6 => ["client-query-buffer-limit", pool.Pick("1mb", "1gb", "1", "abc")],
        7 => ["client-output-buffer-limit", pool.Pick("normal 0 0 0", "normal 1gb 500mb 60", "normal 0 0",
            "junk 0 0 0", "", "normal a b c", "pubsub 64mb 16mb 90 normal 0 0 0")],
        8 => ["slowlog-log-slower-than", pool.Pick("-1", "1000000", "-2", "abc")],
        9 => ["slowlog-max-len", pool.Pick("0", "64", "-1", "abc")],
        10 => ["latency-monitor-threshold", pool.Pick("0", "100000", "-1", "abc")],
        11 => ["hash-max-ziplist-entries", pool.Pick("32", "64", "-1", "abc")],
        12 => ["hll-sparse-max-bytes", pool.Pick("0", "100", "3000", "100000", "abc")],

        // Without effect in Strata: values that Redis refuses as well, and the one that is taken.
        13 => pool.Pick<string[]>(
            ["save", pool.Pick("", "900", "0 1", "900  1", "900 1 ")], ["appendonly", pool.Pick("NO", "maybe")],
            ["slave-priority", pool.Pick("100", "-1")], ["repl-backlog-size", pool.Pick("1MB", "0")],
            ["io-threads", "4"], ["dbfilename", "x"], ["appendfsync", pool.Pick("everysec", "")]),
        _ => [pool.MixedCase("MaxMemory"), pool.Pick("0", "30gb")],
    };

    private static string[] Command(CommandPool pool) => pool.Below(9) switch
    {
        0 or 1 or 2 => ["COMMAND", "INFO", .. pool.Several(3, () => pool.MixedCase(pool.Pick(CommandNames)))],
        3 => ["COMMAND", "INFO", "nonsense", pool.Pick("config|get", "client|nonsense", "get|x", "",
            "object|encoding")],
        4 or 5 => ["COMMAND", pool.MixedCase(pool.Pick("GETKEYS", "GETKEYSANDFLAGS")), .. Described(pool)],
        // Redis 7.0 asks GETKEYS for an argument more than 7.2 does, so each command here has one.
        6 => ["COMMAND", "GETKEYS", .. pool.Pick<string[]>(["nonsense", "a"], ["PING", "a"], ["GET", "a", "b"],
            ["MSET", "a"], ["OBJECT", "HELP"], ["EVAL", "x", "0"], ["EVAL", "x", "2", "a"], ["EVAL_RO", "x", "1", "a"],
            ["FCALL", "f", "x"], ["ZUNION", "0", "a"])],
        7 => ["COMMAND", "LIST", "FILTERBY", .. pool.Pick<string[]>(["junk", "x"], ["ACLCAT"],
            ["PATTERN", "nothing-here"], ["MODULE", "none"], ["ACLCAT", "nonsense"])],
        _ => ["COMMAND", .. pool.Pick<string[]>(["junk"], ["COUNT", "x"], ["HELP"], ["DOCS", "nonsense"],
            ["junk", "a"])],
    };

    private static string[] Described(CommandPool pool)
    {
        var command = pool.Below(4) switch
        {
            0 => KeysFamily.Random(pool),
            1 => ExpiryFamily.Random(pool),
            2 => BitmapsFamily.Random(pool),
            _ => StringsFamily.Random(pool),
        };
        return command.Length > 1 ? command : [.. command, "a"];
    }

    private static string[] Slowlog(CommandPool pool) => ["SLOWLOG", .. pool.Pick<string[]>(
        [], ["LEN"], ["RESET"], ["GET"], ["GET", "-1"], ["GET", "-2"], ["GET", "abc"], ["GET", "1", "2"], ["junk"],
            ["HELP"], ["LEN", "x"])];

    private static string[] Latency(CommandPool pool) => ["LATENCY", .. pool.Pick<string[]>(
        [], ["LATEST"], ["HISTORY"], ["HISTORY", "command"], ["HISTORY", "nothing"], ["RESET"], ["RESET", "nothing"],
        ["GRAPH", "nothing"], ["HISTOGRAM", "nonsense"], ["DOCTOR"], ["DOCTOR", "x"], ["junk"], ["HELP"],
            ["LATEST", "x"])];

    private static string[] Memory(CommandPool pool) => ["MEMORY", .. pool.Pick<string[]>(
        [], ["USAGE"], ["USAGE", pool.Key()], ["USAGE", pool.Key(), "SAMPLES", "0"],
            ["USAGE", pool.Key(), "SAMPLES", "-1"],
        ["USAGE", pool.Key(), "SAMPLES"], ["USAGE", pool.Key(), "junk", "1"], ["USAGE", pool.Key(), "SAMPLES", "abc"],
        ["DOCTOR"], ["PURGE"], ["PURGE", "x"], ["STATS"], ["junk"], ["HELP"])];

    private static string[] Cluster(CommandPool pool) => ["CLUSTER", .. pool.Pick<string[]>(
        [], ["INFO"], ["info", "x"], ["HELP"], ["NODES"], ["SLOTS"], ["SHARDS"], ["MYID"], ["KEYSLOT"],
            ["KEYSLOT", pool.Key()], ["COUNTKEYSINSLOT", "1"], ["GETKEYSINSLOT", "1"], ["RESET"], ["RESET", "HARD"],
            ["FAILOVER"], ["SETSLOT", "1", "STABLE"], ["SETSLOT", "1"], ["ADDSLOTS", "1", "2"], ["MEET", "a"],
            ["FORGET", "a"], ["junk"], ["junk", "a"])];

    private static string[] Unknown(CommandPool pool) => pool.Below(7) switch
    {
        0 => ["nonsense"],
        1 => ["nonsense", .. pool.Several(4, pool.Value)],
        2 => [new string('n', 200), new string('a', 200)],
        3 => ["non\r\nsense", "a\nb", "\0"],
        4 => [""],
        5 => ["get ", "k"],
        _ => ["nonsense", .. pool.Several(20, () => "argument")],
    };
}
