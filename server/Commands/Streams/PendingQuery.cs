namespace Strata.Server.Commands.Streams;

/// <summary>Which pending entries XPENDING tells of.</summary>
/// <param name="Range">Their ids.</param>
/// <param name="Count">The most; none where it is 0.</param>
/// <param name="MinIdleMs">How long they were given to nobody, at least; 0 for any time.</param>
/// <param name="Consumer">Index of the name of the one whose they are; 0 for anybody's.</param>
internal readonly record struct PendingQuery(IdRange Range, long Count, long MinIdleMs, int Consumer);
