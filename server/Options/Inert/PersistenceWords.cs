using Strata.Server.Options.Syntax;

namespace Strata.Server.Options.Inert;

/// <summary>Words about files that outlive the process: there are none.</summary>
internal static class PersistenceWords
{
    public static readonly IReadOnlyList<InertWord> All =
    [
        // Redis's default saves; what this server does is what Redis does with "".
        new("save", InertSyntax.SavePoints, "\"\"") { Rank = InertRank.DataLoss, AddsUp = true },
        new("stop-writes-on-bgsave-error", InertSyntax.YesNo, "yes"),
        new("rdbcompression", InertSyntax.YesNo, "yes"),
        new("rdbchecksum", InertSyntax.YesNo, "yes") { Change = ChangeRule.AtStart },
        new("sanitize-dump-payload", new EnumerationSyntax("no", "yes", "clients"), "no"),
        new("dbfilename", InertSyntax.Text, "dump.rdb") { Change = ChangeRule.Protected },
        new("rdb-del-sync-files", InertSyntax.YesNo, "no"),
        new("rdb-save-incremental-fsync", InertSyntax.YesNo, "yes"),
        new("rdb-key-save-delay", InertNumber(int.MinValue), "0") { IsHidden = true },
        new("key-load-delay", InertNumber(int.MinValue), "0") { IsHidden = true },
        new("loading-process-events-interval-bytes", InertNumber(1024), "2097152") { IsHidden = true },
        // Of rewrites, which there are none of yet.
        new("no-appendfsync-on-rewrite", InertSyntax.YesNo, "no"),
        new("auto-aof-rewrite-percentage", InertSyntax.Integer, "100"),
        new("auto-aof-rewrite-min-size", InertSyntax.Size, "64mb"),
        new("aof-use-rdb-preamble", InertSyntax.YesNo, "yes"),
        new("aof-rewrite-incremental-fsync", InertSyntax.YesNo, "yes"),
        new("aof-disable-auto-gc", InertSyntax.YesNo, "no") { IsHidden = true },
    ];

    private static IntegerSyntax InertNumber(int minimum) => new(minimum, int.MaxValue);
}
