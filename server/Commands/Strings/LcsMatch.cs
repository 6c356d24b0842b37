namespace Strata.Server.Commands.Strings;

/// <summary>A stretch of bytes that two strings have in common.</summary>
/// <param name="FirstStart">Where it begins in the first string.</param>
/// <param name="SecondStart">Where it begins in the second.</param>
/// <param name="Length">Bytes.</param>
internal readonly record struct LcsMatch(int FirstStart, int SecondStart, int Length);
