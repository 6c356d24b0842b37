using System.Collections.Frozen;
using Strata.Server.Commands.Model;
using Strata.Server.Text;

namespace Strata.Server.Commands.Server;

/// <summary>DEBUG's words for what only Redis has: each is refused, with what is in its place here.</summary>
internal static class DebugElsewhere
{
    private const string Crashes = "there is no word that ends the server; send it a signal";
    private const string NoReplicas = "there is no replication";
    private const string NoCluster = "there is no cluster";
    private const string OtherLists = "there are no quicklists: DEBUG OBJECT and MEMORY USAGE tell of a list";

    private static readonly FrozenDictionary<string, string> s_why = new Dictionary<string, string>
    {
        ["aof-flush-sleep"] = "the append-only file is written by a thread of its own",
        ["assert"] = Crashes,
        ["change-repl-id"] = NoReplicas,
        ["clusterlink"] = NoCluster,
        ["config-rewrite-force-all"] = "strata-server --print-conf writes all directives",
        ["crash-and-recover"] = Crashes,
        ["delay-rdb-client-free-seconds"] = NoReplicas,
        ["dict-resizing"] = "tables grow and shrink by one bucket at a time",
        ["drop-cluster-packet-filter"] = NoCluster,
        ["leak"] = "no memory is lost on purpose",
        ["loadaof"] = "start the server anew to load the append-only file",
        ["mallctl"] = "memory is not jemalloc's: MEMORY MALLOC-STATS tells of it",
        ["mallctl-str"] = "memory is not jemalloc's: MEMORY MALLOC-STATS tells of it",
        ["oom"] = Crashes,
        ["panic"] = Crashes,
        ["quicklist"] = OtherLists,
        ["quicklist-packed-threshold"] = OtherLists,
        ["replicate"] = NoReplicas,
        ["replybuffer"] = "clients have no reply buffers of their own that are resized",
        ["restart"] = Crashes,
        ["segfault"] = Crashes,
        ["set-disable-deny-scripts"] = "what scripts may not execute is not switched off",
    }.ToFrozenDictionary(StringComparer.Ordinal);

    /// <summary>Refuses such a word.</summary>
    /// <param name="context">The command.</param>
    /// <param name="word">The word, in lower case.</param>
    /// <returns>False when it is none.</returns>
    public static bool TryRefuse(CommandContext context, string word)
    {
        var isOne = s_why.TryGetValue(word, out var why);
        if (isOne)
        {
            context.Reply.Error($"ERR DEBUG {EchoedArgument.InUpperCase(context.Argument(1))} is only Redis's: {why}");
        }

        return isOne;
    }
}
