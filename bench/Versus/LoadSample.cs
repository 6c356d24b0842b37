namespace Strata.Bench.Versus;

/// <summary>What a load tool says about one load it ran.</summary>
internal readonly record struct LoadSample(long Operations, double OpsPerSecond, double P50Ms, double P99Ms);
