namespace Strata.Tests.Oracle;

/// <summary>Users and what they may do. The client becomes one of them now and then: from there on the commands of all
/// families are those of a user with random rights. The default user stays as it is, so that there is a way back.
/// </summary>
internal sealed class AclFamily : ICommandFamily
{
    /// <summary>The users that there may be, beside the default one. Nobody becomes the last, which is deleted.
    /// </summary>
    public static readonly string[] Users = ["alice", "bob", "carol"];

    private static readonly string[] s_commands =
    [
        "get", "set", "del", "mget", "mset", "append", "strlen", "exists", "keys", "rename", "copy", "sort", "lpush",
        "lrange", "eval", "multi", "exec", "watch", "publish", "subscribe", "psubscribe", "unsubscribe", "config",
        "config|get", "client|id", "object|encoding", "acl|whoami", "ping", "select", "bitop", "getex", "blpop", "zadd",
        "xadd", "xread",
    ];

    private static readonly string[] s_categories =
    [
        "@all", "@read", "@write", "@string", "@keyspace", "@fast", "@slow", "@dangerous", "@connection",
        "@transaction", "@scripting", "@pubsub", "@list", "@set", "@hash", "@sortedset", "@stream", "@bitmap",
        "@admin", "@blocking",
    ];

    public string Name => "acl";

    public OracleStep Next(CommandPool pool) => OracleStep.Single(Random(pool));

    private static string[] Random(CommandPool pool) => pool.Below(20) switch
    {
        < 7 =>
        [
            "ACL", pool.MixedCase("SETUSER"), pool.Pick(Users), .. pool.Several(6, () => Rule(pool)),
            .. pool.Pick<string[]>([], [], [], [], ["(+get", "~x"]), // Of two parentheses 7.0 tells of the last.
        ],
        < 10 => ["AUTH", pool.Pick("alice", "bob", "default", "nobody"), pool.Pick("p", "q", "")],
        10 => ["AUTH", "default", "x"],
        11 => ["ACL", "GETUSER", pool.Pick(pool.Pick(Users), "nobody", "default")],
        12 => ["ACL", pool.Pick("WHOAMI", "USERS", "LIST", "CAT", "HELP", "junk")],
        13 => ["ACL", "LOG", .. pool.Pick<string[]>([], ["1"], ["-1"], ["abc"], ["RESET"], ["1", "2"])],
        14 => ["ACL", "DELUSER", .. pool.Pick<string[]>(["carol"], ["carol", "nobody"], ["default"], [])],
        15 => ["ACL", "GENPASS", .. pool.Pick<string[]>([], ["5"], ["4096"], ["4097"], ["0"], ["abc"], ["1", "2"])],
        16 => ["ACL", "CAT", pool.Pick("read", "SET", "junk", "")],
        _ => ["ACL", "DRYRUN", pool.Pick(pool.Pick(Users), "nobody"), .. Called(pool)],
    };

    private static string[] Called(CommandPool pool) => pool.Below(8) switch
    {
        < 4 => StringsFamily.Random(pool),
        4 => ["COPY", pool.Key(), pool.Key()],
        5 => [pool.Pick("PUBLISH", "SUBSCRIBE", "PSUBSCRIBE", "SPUBLISH"), pool.Pick("news", "n*"), "x"],
        6 => ["SORT", pool.Key(), .. pool.Pick<string[]>([], ["STORE", pool.Key()], ["BY", "w*"])],
        _ => ["CONFIG", pool.Pick("GET", "SET", "junk"), "x"],
    };

    private static string Rule(CommandPool pool) => pool.Below(24) switch
    {
        < 3 => "on",
        3 => pool.Pick("off", "reset", "resetpass", "nopass", "clearselectors", "sanitize-payload"),
        4 => pool.Pick(">p", ">q", "<p", "<q", "#abc", "!abc", ">"),
        5 => pool.Pick("allkeys", "resetkeys", "allchannels", "resetchannels", "~*", "&*", "allcommands", "nocommands"),
        < 10 => pool.Pick("~", "~", "%R~", "%W~", "%RW~", "%X~") + KeyPattern(pool),
        10 => pool.Pick("&news", "&n*", "&other", "&"),
        < 15 => pool.Pick("+", "-") + pool.Pick(s_commands),
        < 19 => pool.Pick("+", "+", "-") + pool.Pick(s_categories),
        19 => pool.Pick("+select|0", "+select|1", "+get|a", "+config|get|x", "+nope", "-@nope", "+get|", "junk", ""),
        20 => "+@all",
        21 => $"({pool.MixedCase("+@read")} ~{PlainPattern(pool)})",
        22 => $"(+{pool.Pick(s_commands)} %W~{PlainPattern(pool)} {pool.Pick("&n*", "-@all", "+@write", "on")})",
        _ => pool.Pick(")", "()", "~x)"),
    };

    /// <summary>What may stand in parentheses, where words are split and unquoted.</summary>
    private static string PlainPattern(CommandPool pool)
    {
        var pattern = KeyPattern(pool);
        return pattern.All(static c => c is > ' ' and not ('"' or '\'' or '\\')) ? pattern : "key:2*";
    }

    /// <summary>A key, or what some begin with; blanks are refused. Behind a NUL byte Redis looks at nothing.</summary>
    private static string KeyPattern(CommandPool pool) => pool.Below(5) switch
    {
        0 => "key:1*",
        1 => pool.Pick("k?y*", "*", "[k]ey:*", "*1*", "key:[0-9]*"),
        _ when pool.Key() is var key && !key.Contains('\0', StringComparison.Ordinal) => key,
        _ => "key:3*",
    };
}
