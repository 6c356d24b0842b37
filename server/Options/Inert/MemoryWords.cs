using Strata.Server.Options.Syntax;

namespace Strata.Server.Options.Inert;

/// <summary>Words about how Redis uses memory and frees it, which this server does its own way.</summary>
internal static class MemoryWords
{
    private static readonly IntegerSyntax s_percent = new(1, 99);
    private static readonly IntegerSyntax s_threshold = new(0, 1000);

    public static readonly IReadOnlyList<InertWord> All =
    [
        new("maxmemory-samples", new IntegerSyntax(1, int.MaxValue), "5"),
        new("maxmemory-eviction-tenacity", new IntegerSyntax(0, 100), "10"),
        new("maxmemory-clients", new MemoryOrPercentSyntax(), "0"),
        new("lazyfree-lazy-eviction", InertSyntax.YesNo, "no"),
        new("lazyfree-lazy-expire", InertSyntax.YesNo, "no"),
        new("lazyfree-lazy-server-del", InertSyntax.YesNo, "no"),
        new("lazyfree-lazy-user-del", InertSyntax.YesNo, "no"),
        new("lazyfree-lazy-user-flush", InertSyntax.YesNo, "no"),
        new("activerehashing", InertSyntax.YesNo, "yes"),
        new("activedefrag", InertSyntax.YesNo, "no"),
        new("active-defrag-cycle-min", s_percent, "1"),
        new("active-defrag-cycle-max", s_percent, "25"),
        new("active-defrag-threshold-lower", s_threshold, "10"),
        new("active-defrag-threshold-upper", s_threshold, "100"),
        new("active-defrag-max-scan-fields", new IntegerSyntax(1, long.MaxValue), "1000"),
        new("active-defrag-ignore-bytes", new MemorySyntax(1), "100mb"),
        new("jemalloc-bg-thread", InertSyntax.YesNo, "yes"),
    ];
}
