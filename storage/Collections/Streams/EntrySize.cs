namespace Strata.Storage.Collections.Streams;

/// <summary>What an entry takes.</summary>
/// <param name="IsSame">Whether it has the fields of the block's front, and their names are left out.</param>
/// <param name="Bytes">Its bytes.</param>
/// <param name="Listpack">Its bytes in Redis's listpack.</param>
internal readonly record struct EntrySize(bool IsSame, int Bytes, int Listpack);
