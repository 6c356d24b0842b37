namespace Strata.Storage.Collections.SortedSets;

/// <summary>A range of scores.</summary>
/// <param name="Min">Its lower end.</param>
/// <param name="ExcludesMin">Whether elements with that very score are outside.</param>
/// <param name="Max">Its upper end.</param>
/// <param name="ExcludesMax">Whether elements with that very score are outside.</param>
public readonly record struct ScoreRange(double Min, bool ExcludesMin, double Max, bool ExcludesMax);
