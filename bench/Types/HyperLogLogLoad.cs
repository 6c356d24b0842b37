namespace Strata.Bench.Types;

/// <summary>Loads on HyperLogLogs: dense ones, small ones that stay sparse, and the union of some.</summary>
internal static class HyperLogLogLoad
{
    private const int Dense = 100;
    private const int Sparse = 1_000;
    private const int Elements = 1_000_000;

    private static readonly DataFill s_dense =
        new($"PFADD hll:{{key%{Dense}}} element:{{random:{Elements}}}", Dense * 10_000L);

    private static readonly DataFill s_sparse =
        new($"PFADD hll:{{key%{Sparse}}} element:{{random:100}}", Sparse * 100L);

    /// <summary>All of them.</summary>
    public static IReadOnlyList<TypeLoad> All { get; } =
    [
        new("pfadd", $"PFADD hll:{{random:{Dense}}} element:{{random:{Elements}}}") { Fill = s_dense },
        new("pfadd-sparse", $"PFADD hll:{{random:{Sparse}}} element:{{random:100}}") { Fill = s_sparse },
        new("pfcount-3", $"PFCOUNT hll:{{random:{Dense}}} hll:{{random:{Dense}}} hll:{{random:{Dense}}}")
        {
            Fill = s_dense,
        },
    ];
}
