namespace Strata.Storage.Records;

/// <summary>A live record met on the walk of a page.</summary>
/// <param name="Hash">Its key's hash.</param>
/// <param name="Address">Where it stands.</param>
/// <param name="Frequency">How often it was read, as its index entry says.</param>
internal readonly record struct ScannedRecord(ulong Hash, ulong Address, int Frequency);
