namespace Strata.Server.Commands.Bitmaps;

/// <summary>What BITCOUNT and BITPOS count their ranges in.</summary>
internal enum BitUnit
{
    Byte,
    Bit,
}
