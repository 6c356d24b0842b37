using Strata.Server.Options.Syntax;

namespace Strata.Server.Options.Inert;

/// <summary>Words about files that outlive the process, which make no difference here.</summary>
internal static class PersistenceWords
{
    public static readonly IReadOnlyList<InertWord> All =
    [
        new("sanitize-dump-payload", new EnumerationSyntax("no", "yes", "clients"), "no"),
        new("rdb-del-sync-files", InertSyntax.YesNo, "no"),
        new("rdb-key-save-delay", InertNumber(int.MinValue), "0") { IsHidden = true },
        new("key-load-delay", InertNumber(int.MinValue), "0") { IsHidden = true },
        new("loading-process-events-interval-bytes", InertNumber(1024), "2097152") { IsHidden = true },
        new("aof-disable-auto-gc", InertSyntax.YesNo, "no") { IsHidden = true },
    ];

    private static IntegerSyntax InertNumber(int minimum) => new(minimum, int.MaxValue);
}
