namespace Strata.Server.Commands.Bitmaps;

/// <summary>What a step of BITFIELD does to its field.</summary>
internal enum BitFieldAction
{
    Get,
    Set,
    IncrementBy,
}
