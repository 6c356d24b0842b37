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
        Differs = "Of Redis's subcommands there are DIGEST, DIGEST-VALUE, ERROR, HELP, LISTPACK, LOG, OBJECT "
            + "with further fields, PAUSE-CRON, POPULATE, PROTOCOL, RELOAD, SET-ACTIVE-EXPIRE, "
            + "SET-SKIP-CHECKSUM-VALIDATION, STRINGMATCH-TEST of 10,000 patterns, not ten million, and SLEEP, which "
            + "keeps one thread busy; the others are Strata's own.",
        Complexity = "Depends on the subcommand.",
        IsSystemCommand = true,
        Guard = static options => options.EnableDebugCommand,
        ExtraShards = AddShards,
    };

    private static readonly IReadOnlyList<string> s_help =
    [
        "DEBUG <subcommand> [<arg> [value] [opt] ...]. Subcommands are:",
        "DIGEST",
        "    Output a hex signature representing the current DB content.",
        "DIGEST-VALUE <key> [<key> ...]",
        "    Output a hex signature of the values of all the specified keys.",
        "ERROR <string>",
        "    Return a Redis protocol error with <string> as message. Useful for clients",
        "    unit tests to simulate Redis errors.",
        "HOLD-LEASE <shard> <milliseconds>",
        "    Keep the worker of this client busy with a shard's lease in its hands.",
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
        "STRINGMATCH-TEST",
        "    Run a fuzz tester against the matching of patterns.",
        "TIER-EAGER <0|1>",
        "    Let all data leave memory for the disk at once, or only when memory is short.",
        "HELP",
        "    Print this help.",
    ];

    private static void Execute(CommandContext context)
    {
        switch (Encoding.Latin1.GetString(context.Argument(1)).ToLowerInvariant())
        {
            case "help" when context.Count == 2:
                HelpReply.Write(context, s_help);
                break;
            case "digest" when context.Count == 2:
                DebugDigest.Execute(context);
                break;
            case "digest-value" when context.Count >= 2:
                DebugDigestValue.Execute(context);
                break;
            case "error" when context.Count == 3:
                context.Reply.Error(context.Argument(2));
                break;
            case "hold-lease" when context.Count == 4:
                DebugHoldLease.Execute(context);
                break;
            case "jmap" when context.Count == 2:
            case "strata-stats" when context.Count == 2:
                DebugStatistics.Execute(context);
                break;
            case "listpack" when context.Count == 3:
                DebugListpack.Execute(context);
                break;
            case "log" when context.Count == 3:
                DebugLog.Execute(context);
                break;
            case "object" when context.Count == 3:
                DebugObject.Execute(context);
                break;
            case "pause-cron" when context.Count == 3:
                DebugPauseCron.Execute(context);
                break;
            case "populate" when context.Count is >= 3 and <= 5:
                DebugPopulate.Execute(context);
                break;
            case "protocol" when context.Count == 3:
                DebugProtocol.Execute(context);
                break;
            case "reload" when context.Count >= 2:
                DebugReload.Execute(context);
                break;
            case "set-active-expire" when context.Count == 3:
                DebugSetActiveExpire.Execute(context);
                break;
            case "set-skip-checksum-validation" when context.Count == 3:
                DebugSkipChecksums.Execute(context);
                break;
            case "sleep" when context.Count == 3:
                DebugSleep.Execute(context);
                break;
            case "small-maxmemory" when context.Count == 3:
                DebugSmallMaxMemory.Execute(context);
                break;
            case "small-steps" when context.Count == 3:
                DebugSmallSteps.Execute(context);
                break;
            case "stringmatch-test" when context.Count == 2:
                DebugStringMatchTest.Execute(context);
                break;
            case "tier-eager" when context.Count == 3:
                DebugTierEager.Execute(context);
                break;
            default:
                SubcommandSyntax.Refuse(context);
                break;
        }
    }

    /// <summary>The shards that a subcommand looks at, or is to hold.</summary>
    private static void AddShards(CommandContext context, IShardSet shards)
    {
        if (context.Count == 3 && (context.IsWord(1, "object"u8) || context.IsWord(1, "listpack"u8)))
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
}
