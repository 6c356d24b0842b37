namespace Strata.Server.Commands.Bitmaps;

/// <summary>What BITFIELD does with a number that does not fit its field.</summary>
internal enum BitFieldOverflow
{
    /// <summary>The high bits are cut off.</summary>
    Wrap,

    /// <summary>The field gets the nearest number it can hold.</summary>
    Saturate,

    /// <summary>The field is left alone.</summary>
    Fail,
}
