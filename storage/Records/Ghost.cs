namespace Strata.Storage.Records;

/// <summary>What is remembered of a key that was evicted.</summary>
/// <param name="IsKnown">Whether anything is.</param>
/// <param name="IsProven">Whether it was of the main queue.</param>
/// <param name="IsYoung">Whether it is the youngest of its neighbours in the table: so is about an eighth of what is
/// remembered.</param>
public readonly record struct Ghost(bool IsKnown, bool IsProven, bool IsYoung);
