namespace Strata.Server.Rdb;

/// <summary>Bytes at the beginning of a file that are to be others, for which its checksum is: it turned out to need a
/// newer version than it was begun with.</summary>
/// <param name="Offset">Where they are.</param>
/// <param name="Bytes">What they are to be.</param>
internal readonly record struct RdbVersionPatch(long Offset, byte[] Bytes);
