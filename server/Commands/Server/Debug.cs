using System.Collections.Frozen;
using System.Text;
using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;
using Strata.Server.Resp;

namespace Strata.Server.Commands.Server;

/// <summary>DEBUG subcommand [arg ...]</summary>
internal static class Debug
{
    public static readonly CommandRow Row = new("debug", -2,
        CommandFlags.Admin | CommandFlags.NoScript | CommandFlags.Loading
        | CommandFlags.Stale | CommandFlags.Protected | CommandFlags.InSteps, KeySpec.None, Execute)
    {
        Group = CommandGroup.Server,
        Since = "1.0.0",
        Summary = "Tools for testing the server; off unless enable-debug-command allows them.",
        Differs = "Of Redis's subcommands there are CLIENT-EVICTION, DIGEST, DIGEST-VALUE, ERROR, HELP, LISTPACK, "
            + "LOG, OBJECT with further fields, PAUSE-CRON, POPULATE, PROTOCOL, RELOAD, SET-ACTIVE-EXPIRE, "
            + "SET-SKIP-CHECKSUM-VALIDATION, STRINGMATCH-TEST of 10,000 patterns, not ten million, SLEEP, which "
            + "keeps one thread busy, and, about Strata's own structures, HTSTATS, HTSTATS-KEY, SDSLEN and "
            + "STRUCTSIZE; words for what only Redis has are refused with what is in its place, the others are "
            + "Strata's own.",
        Complexity = "Depends on the subcommand.",
        IsSystemCommand = true,
        Guard = static options => options.EnableDebugCommand,
        ExtraShards = AddShards,
    };

    private static readonly IReadOnlyList<string> s_help =
    [
        "DEBUG <subcommand> [<arg> [value] [opt] ...]. Subcommands are:",
        "CLIENT-EVICTION",
        "    Show low level client eviction pools info (maxmemory-clients).",
        "DIGEST",
        "    Output a hex signature representing the current DB content.",
        "DIGEST-VALUE <key> [<key> ...]",
        "    Output a hex signature of the values of all the specified keys.",
        "ERROR <string>",
        "    Return a Redis protocol error with <string> as message. Useful for clients",
        "    unit tests to simulate Redis errors.",
        "HOLD-LEASE <shard> <milliseconds>",
        "    Keep the worker of this client busy with a shard's lease in its hands.",
        "HTSTATS <dbid> [full]",
        "    Return hash table statistics of the specified Redis database.",
        "HTSTATS-KEY <key> [full]",
        "    Like HTSTATS but for the hash table stored at <key>'s value.",
        "JMAP",
        "    Show the objects on .NET's heap and the native memory, in numbers.",
        "LISTPACK <key>",
        "    Show low level info about the listpack encoding of <key>.",
        "LOG <message>",
        "    Write <message> to the server log.",
        "OBJECT <key>",
        "    Show low level info about `key` and associated value.",
        "PAUSE-CRON <0|1>",
        "    Stop periodic cron job processing.",
        "POPULATE <count> [<prefix>] [<size>]",
        "    Create <count> string keys named key:<num>. If <prefix> is specified then",
        "    it is used instead of the 'key' prefix.",
        "PROTOCOL <type>",
        "    Reply with a test value of the specified type. <type> can be: string,",
        "    integer, double, bignum, null, array, set, map, attrib, push, verbatim,",
        "    true, false.",
        "RELOAD [option ...]",
        "    Save the RDB on disk and reload it back to memory. Valid <option> values:",
        "    * MERGE: conflicting keys will be loaded from RDB.",
        "    * NOFLUSH: the existing database will not be removed before load, and",
        "      conflicting keys are an error unless there is MERGE.",
        "    * NOSAVE: the database will be loaded from an existing RDB file.",
        "    Examples:",
        "    * DEBUG RELOAD: verify that the server is able to persist, flush and reload",
        "      the database.",
        "    * DEBUG RELOAD NOSAVE: replace the current database with the contents of an",
        "      existing RDB file.",
        "    * DEBUG RELOAD NOSAVE NOFLUSH MERGE: add the contents of an existing RDB",
        "      file to the database.",
        "SDSLEN <key>",
        "    Show low level string info representing `key` and value.",
        "SET-ACTIVE-EXPIRE <0|1>",
        "    Setting it to 0 disables expiring keys in background when they are not",
        "    accessed (otherwise the Redis behavior). Setting it to 1 reenables back the",
        "    default.",
        "SET-SKIP-CHECKSUM-VALIDATION <0|1>",
        "    Enables or disables checksum checks for RDB files and RESTORE's payload.",
        "SLEEP <seconds>",
        "    Stop the server for <seconds>. Decimals allowed.",
        "SMALL-MAXMEMORY <0|1>",
        "    Refuse a maxmemory that is too small to work with, or take it.",
        "SMALL-STEPS <0|1>",
        "    Do commands over few elements in steps, too, or only those over many.",
        "STRATA-STATS",
        "    Show the counters of shards and workers.",
        "STRUCTSIZE",
        "    Return the size of different core structures.",
        "STRINGMATCH-TEST",
        "    Run a fuzz tester against the matching of patterns.",
        "TIER-EAGER <0|1>",
        "    Let all data leave memory for the disk at once, or only when memory is short.",
        "HELP",
        "    Print this help.",
    ];

    private static readonly FrozenDictionary<string, Subcommand> s_subcommands = new Dictionary<string, Subcommand>
    {
        ["help"] = new(2, 2, static context => HelpReply.Write(context, s_help)),
        ["client-eviction"] = new(2, 2, NoClientEviction),
        ["digest"] = new(2, 2, DebugDigest.Execute),
        ["digest-value"] = new(2, int.MaxValue, DebugDigestValue.Execute),
        ["error"] = new(3, 3, static context => context.Reply.Error(context.Argument(2))),
        ["hold-lease"] = new(4, 4, DebugHoldLease.Execute),
        ["htstats"] = new(3, int.MaxValue, DebugHashTables.Execute),
        ["htstats-key"] = new(3, int.MaxValue, DebugHashTables.ExecuteForKey),
        ["jmap"] = new(2, 2, DebugStatistics.Execute),
        ["strata-stats"] = new(2, 2, DebugStatistics.Execute),
        ["listpack"] = new(3, 3, DebugListpack.Execute),
        ["log"] = new(3, 3, DebugLog.Execute),
        ["object"] = new(3, 3, DebugObject.Execute),
        ["pause-cron"] = new(3, 3, DebugPauseCron.Execute),
        ["populate"] = new(3, 5, DebugPopulate.Execute),
        ["protocol"] = new(3, 3, DebugProtocol.Execute),
        ["reload"] = new(2, int.MaxValue, DebugReload.Execute),
        ["sdslen"] = new(3, 3, DebugSizes.ExecuteForKey),
        ["set-active-expire"] = new(3, 3, DebugSetActiveExpire.Execute),
        ["set-skip-checksum-validation"] = new(3, 3, DebugSkipChecksums.Execute),
        ["sleep"] = new(3, 3, DebugSleep.Execute),
        ["small-maxmemory"] = new(3, 3, DebugSmallMaxMemory.Execute),
        ["small-steps"] = new(3, 3, DebugSmallSteps.Execute),
        ["structsize"] = new(2, 2, DebugSizes.Execute),
        ["stringmatch-test"] = new(2, 2, DebugStringMatchTest.Execute),
        ["tier-eager"] = new(3, 3, DebugTierEager.Execute),
    }.ToFrozenDictionary(StringComparer.Ordinal);

    private static void Execute(CommandContext context)
    {
        var word = Encoding.Latin1.GetString(context.Argument(1)).ToLowerInvariant();
        if (s_subcommands.TryGetValue(word, out var subcommand)
            && context.Count >= subcommand.Least && context.Count <= subcommand.Most)
        {
            subcommand.Execute(context);
        }
        else if (!DebugElsewhere.TryRefuse(context, word))
        {
            SubcommandSyntax.Refuse(context);
        }
    }

    private static void NoClientEviction(CommandContext context)
        => context.Reply.Error("ERR maxmemory-clients is disabled."u8); // As it always is.

    /// <summary>The shards that a subcommand looks at, or is to hold.</summary>
    private static void AddShards(CommandContext context, IShardSet shards)
    {
        if (context.Count >= 3
            && (context.IsWord(1, "htstats-key"u8) || context.IsWord(1, "listpack"u8)
                || context.IsWord(1, "object"u8) || context.IsWord(1, "sdslen"u8)))
        {
            shards.Add(context.KeyAt(2));
        }
        else if (context.Count == 2 && context.IsWord(1, "digest"u8))
        {
            DebugDigest.AddShards(context, shards);
        }
        else if (context.IsWord(1, "digest-value"u8))
        {
            DebugDigestValue.AddShards(context, shards);
        }
        else if (context.IsWord(1, "populate"u8))
        {
            DebugPopulate.AddShards(context, shards);
        }
        else if (context.Count == 4 && context.IsWord(1, "hold-lease"u8)
            && NumberParser.TryParseInt64(context.Argument(2), out var number)
            && number >= 0 && number < context.Server.Shards.Count)
        {
            shards.Add((int)number);
        }
    }

    /// <summary>A subcommand.</summary>
    /// <param name="Least">How many arguments it has at least, with the two names.</param>
    /// <param name="Most">How many at most.</param>
    /// <param name="Execute">Does it.</param>
    private sealed record Subcommand(int Least, int Most, Action<CommandContext> Execute);
}
