namespace Strata.Storage.Collections.SortedSets;

/// <summary>Up to where a sorted set stays packed.</summary>
/// <param name="Elements">The most elements.</param>
/// <param name="MemberBytes">The longest member.</param>
public readonly record struct SortedSetLimits(long Elements, long MemberBytes);
