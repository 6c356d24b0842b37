using System.Collections.Frozen;
using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Documentation;

/// <summary>What commands could not do from the first, and since which version of Redis they can: COMMAND DOCS tells of
/// it. A test compares versions with a redis-server's.</summary>
internal static class CommandHistory
{
    private static readonly HistoryEntry[] s_all =
    [
        new("acl|getuser", "6.2.0", "patterns of channels"),
        new("acl|getuser", "7.0.0", "selectors, and patterns as they are set"),
        new("acl|log", "7.2.0", "the fields entry-id, timestamp-created and timestamp-last-updated"),
        new("acl|setuser", "6.2.0", "patterns of channels"),
        new("acl|setuser", "7.0.0", "selectors, and patterns of keys that are read or written only"),
        new("auth", "6.0.0", "a `username` beside the password"),
        new("bgsave", "3.2.2", "`SCHEDULE`"),
        new("bitcount", "7.0.0", "the unit of a range, `BYTE` or `BIT`"),
        new("bitpos", "7.0.0", "the unit of a range, `BYTE` or `BIT`"),
        new("blpop", "6.0.0", "parts of a second in the timeout"),
        new("brpop", "6.0.0", "parts of a second in the timeout"),
        new("brpoplpush", "6.0.0", "parts of a second in the timeout"),
        new("bzpopmax", "6.0.0", "parts of a second in the timeout"),
        new("bzpopmin", "6.0.0", "parts of a second in the timeout"),
        new("client|kill", "2.8.12", "filters"),
        new("client|kill", "2.8.12", "`ID` as a filter"),
        new("client|kill", "3.2.0", "`MASTER` as a type"),
        new("client|kill", "5.0.0", "`REPLICA` as a type; SLAVE is still taken"),
        new("client|kill", "6.2.0", "`LADDR`"),
        new("client|kill", "7.4.0", "`MAXAGE`"),
        new("client|list", "2.8.12", "the field id"),
        new("client|list", "5.0.0", "`TYPE`"),
        new("client|list", "6.0.0", "the field user"),
        new("client|list", "6.2.0", "`ID`, and the fields argv-mem, tot-mem, laddr and redir"),
        new("client|list", "7.0.0", "the fields resp, multi-mem, rbs and rbp"),
        new("client|list", "7.0.3", "the field ssub"),
        new("client|pause", "6.2.0", "whether all commands wait or writes alone (`WRITE`, `ALL`)"),
        new("cluster|meet", "4.0.0", "the bus's port"),
        new("cluster|slots", "4.0.0", "the nodes' ids"),
        new("cluster|slots", "7.0.0", "more about the nodes' networks"),
        new("command|info", "7.0.0", "without names: all commands"),
        new("config|get", "7.0.0", "several patterns"),
        new("config|set", "7.0.0", "several words"),
        new("exists", "3.0.3", "several keys"),
        new("expire", "7.0.0", "`NX`, `XX`, `GT` and `LT`"),
        new("expireat", "7.0.0", "`NX`, `XX`, `GT` and `LT`"),
        new("flushall", "4.0.0", "`ASYNC`"),
        new("flushall", "6.2.0", "`SYNC`"),
        new("flushdb", "4.0.0", "`ASYNC`"),
        new("flushdb", "6.2.0", "`SYNC`"),
        new("geoadd", "6.2.0", "`NX`, `XX` and `CH`"),
        new("georadius", "6.2.0", "`ANY`"),
        new("georadius", "7.0.0", "units in capitals"),
        new("georadius_ro", "6.2.0", "`ANY`"),
        new("georadius_ro", "7.0.0", "units in capitals"),
        new("georadiusbymember", "6.2.0", "`ANY`"),
        new("georadiusbymember", "7.0.0", "units in capitals"),
        new("georadiusbymember_ro", "6.2.0", "`ANY`"),
        new("georadiusbymember_ro", "7.0.0", "units in capitals"),
        new("geosearch", "7.0.0", "units in capitals"),
        new("geosearchstore", "7.0.0", "units in capitals"),
        new("hdel", "2.4.0", "several fields"),
        new("hello", "6.2.0", "without a version: tells of the connection as it is"),
        new("hscan", "7.4.0", "`NOVALUES`"),
        new("hset", "4.0.0", "several fields and values"),
        new("info", "7.0.0", "several sections"),
        new("lpop", "6.2.0", "`count`"),
        new("lpush", "2.4.0", "several elements"),
        new("lpushx", "4.0.0", "several elements"),
        new("migrate", "3.0.0", "`COPY` and `REPLACE`"),
        new("migrate", "3.0.6", "`KEYS`"),
        new("migrate", "4.0.7", "`AUTH`"),
        new("migrate", "6.0.0", "`AUTH2`"),
        new("pexpire", "7.0.0", "`NX`, `XX`, `GT` and `LT`"),
        new("pexpireat", "7.0.0", "`NX`, `XX`, `GT` and `LT`"),
        new("pttl", "2.8.0", "-2 for a key that is not there"),
        new("renamenx", "3.2.0", "no error where both names are the same"),
        new("restore", "3.0.0", "`REPLACE`"),
        new("restore", "5.0.0", "`ABSTTL`"),
        new("restore", "5.0.0", "`IDLETIME` and `FREQ`"),
        new("rpop", "6.2.0", "`count`"),
        new("rpush", "2.4.0", "several elements"),
        new("rpushx", "4.0.0", "several elements"),
        new("sadd", "2.4.0", "several members"),
        new("scan", "6.0.0", "`TYPE`"),
        new("script|flush", "6.2.0", "`ASYNC` and `SYNC`"),
        new("set", "2.6.12", "`EX`, `PX`, `NX` and `XX`"),
        new("set", "6.0.0", "`KEEPTTL`"),
        new("set", "6.2.0", "`GET`, `EXAT` and `PXAT`"),
        new("set", "7.0.0", "NX together with GET"),
        new("shutdown", "7.0.0", "`NOW`, `FORCE` and `ABORT`"),
        new("slowlog|get", "4.0.0", "the client's address and name"),
        new("spop", "3.2.0", "`count`"),
        new("srandmember", "2.6.0", "`count`"),
        new("srem", "2.4.0", "several members"),
        new("ttl", "2.8.0", "-2 for a key that is not there"),
        new("xadd", "6.2.0", "`NOMKSTREAM`, `MINID` and `LIMIT`"),
        new("xadd", "7.0.0", "ids of which only the milliseconds are given"),
        new("xautoclaim", "7.0.0", "the ids of deleted entries, which are not pending any more"),
        new("xgroup|create", "7.0.0", "`ENTRIESREAD`"),
        new("xgroup|setid", "7.0.0", "`ENTRIESREAD`"),
        new("xinfo|consumers", "7.2.0", "the field inactive; idle counts attempts to read, too"),
        new("xinfo|groups", "7.0.0", "the fields entries-read and lag"),
        new("xinfo|stream", "6.0.0", "`FULL`"),
        new("xinfo|stream", "7.0.0", "fields about what was added and deleted, and about how far groups are"),
        new("xinfo|stream", "7.2.0", "the field active-time; seen-time counts attempts to read, too"),
        new("xpending", "6.2.0", "`IDLE`, and ranges without their ends"),
        new("xrange", "6.2.0", "ranges without their ends"),
        new("xrevrange", "6.2.0", "ranges without their ends"),
        new("xsetid", "7.0.0", "`ENTRIESADDED` and `MAXDELETEDID`"),
        new("xtrim", "6.2.0", "`MINID` and `LIMIT`"),
        new("zadd", "2.4.0", "several members"),
        new("zadd", "3.0.2", "`NX`, `XX`, `CH` and `INCR`"),
        new("zadd", "6.2.0", "`GT` and `LT`"),
        new("zrange", "6.2.0", "`REV`, `BYSCORE`, `BYLEX` and `LIMIT`"),
        new("zrangebyscore", "2.0.0", "`WITHSCORES`"),
        new("zrank", "7.2.0", "`WITHSCORE`"),
        new("zrem", "2.4.0", "several members"),
        new("zrevrangebyscore", "2.1.6", "ranges without their ends"),
        new("zrevrank", "7.2.0", "`WITHSCORE`"),
    ];

    private static readonly FrozenDictionary<string, HistoryEntry[]> s_byCommand = s_all
        .GroupBy(entry => entry.Command)
        .ToFrozenDictionary(entries => entries.Key, entries => entries.ToArray());

    /// <summary>What was added to a command, the oldest first.</summary>
    public static IReadOnlyList<HistoryEntry> Of(CommandRow row) => s_byCommand.GetValueOrDefault(row.FullName, []);

    /// <summary>The version since which a command has an argument; null for that of the command itself.</summary>
    public static string? VersionOf(CommandRow row, ArgumentNode argument)
    {
        var word = argument.Token ?? argument.Name;
        return Of(row).FirstOrDefault(entry => entry.Change.Contains($"`{word}`", StringComparison.Ordinal))?.Version;
    }
}
