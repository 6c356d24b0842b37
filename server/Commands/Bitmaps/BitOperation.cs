namespace Strata.Server.Commands.Bitmaps;

/// <summary>What BITOP does.</summary>
internal enum BitOperation
{
    And,
    Or,
    Xor,
    Not,
}
