namespace Strata.Server.Commands.Collections;

/// <summary>How far a call of HSCAN, SSCAN or ZSCAN has come.</summary>
/// <param name="Cursor">Where it goes on.</param>
/// <param name="Buckets">How many more buckets are looked at, at most.</param>
/// <param name="Elements">How many more elements are.</param>
/// <param name="Found">How many of those that were are answered.</param>
internal record struct ScanProgress(ulong Cursor, long Buckets, long Elements, long Found);
