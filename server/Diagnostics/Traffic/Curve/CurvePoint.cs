namespace Strata.Server.Diagnostics.Traffic.Curve;

/// <summary>What the part of reads that find their key would be with other memory.</summary>
/// <param name="Factor">How many times the memory there is.</param>
/// <param name="HitRatio">The part; not a number where nothing is known.</param>
/// <param name="Error">How much it may be off, in 19 of 20 cases, as far as chance has drawn the keys.</param>
/// <param name="Keys">Keys that the cache holds which it was found out with.</param>
internal readonly record struct CurvePoint(double Factor, double HitRatio, double Error, int Keys);
